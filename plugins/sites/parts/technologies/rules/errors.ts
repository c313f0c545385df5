import type { RuleGroup } from '../rule.js'

export const errors: RuleGroup = {
  category: 'error tracking',
  rules: [
    {
      name: 'Sentry',
      docs: 'Sentry Documentation: Browser JavaScript loader',
      urls: ['browser.sentry-cdn.com/{version}', 'js.sentry-cdn.com/', '.ingest.sentry.io/'],
      globals: ['sentry.init(', '.ingest.sentry.io', '.ingest.us.sentry.io', '.ingest.de.sentry.io'],
      html: ['name="sentry-trace"'],
    },
    {
      name: 'Bugsnag',
      docs: 'BugSnag Documentation: JavaScript integration guide',
      urls: ['d2wy8f7a9ursnm.cloudfront.net/v{version}', 'd2wy8f7a9ursnm.cloudfront.net/'],
      globals: ['bugsnag.start(', "bugsnag('"],
    },
    {
      name: 'Rollbar',
      docs: 'Rollbar Documentation: Browser JavaScript',
      urls: ['cdn.rollbar.com/'],
      globals: ['_rollbarconfig', 'rollbar.init('],
    },
    {
      name: 'Datadog RUM',
      docs: 'Datadog Documentation: RUM browser monitoring setup',
      urls: ['datadoghq-browser-agent.com/'],
      cookies: ['_dd_s'],
      globals: ['dd_rum.init(', 'datadoghq-browser-agent.com'],
    },
    {
      name: 'New Relic',
      docs: 'New Relic Documentation: Browser agent',
      urls: ['js-agent.newrelic.com/'],
      globals: ['window.nreum', 'nreum.info', 'nreum||'],
    },
    { name: 'Raygun', docs: 'Raygun Documentation: JavaScript', urls: ['cdn.raygun.io/raygun4js/'], globals: ["rg4js('apikey'"] },
    {
      name: 'TrackJS',
      docs: 'TrackJS Documentation: Browser agent installation',
      urls: ['cdn.trackjs.com/'],
      globals: ['trackjs.install('],
    },
    {
      name: 'LogRocket',
      docs: 'LogRocket Documentation: Quickstart',
      urls: ['cdn.logrocket.io/', 'cdn.lr-in.com/', 'cdn.lr-ingest.io/', 'cdn.lgrckt-in.com/'],
      globals: ['logrocket.init('],
    },
    {
      name: 'Honeybadger',
      docs: 'Honeybadger Documentation: Client-side JavaScript',
      urls: ['js.honeybadger.io/'],
      globals: ['honeybadger.configure('],
    },
    {
      name: 'Airbrake',
      docs: 'Airbrake Documentation: JavaScript notifier',
      urls: ['/airbrake-js-client', '/@airbrake/browser'],
      globals: ['airbrake.notifier('],
    },
    {
      name: 'Dynatrace',
      docs: 'Dynatrace Documentation: Real user monitoring JavaScript',
      urls: ['js-cdn.dynatrace.com/', '/ruxitagentjs_'],
      cookies: ['dtcookie', 'rxvisitor', 'dtpc'],
      html: ['data-dtconfig='],
      headers: ['x-oneagent-js-injection'],
    },
    {
      name: 'Elastic APM',
      docs: 'Elastic Documentation: RUM JavaScript agent',
      urls: ['/elastic-apm-rum', '/@elastic/apm-rum'],
      globals: ['elasticapm.init('],
    },
    {
      name: 'AppDynamics',
      docs: 'AppDynamics Documentation: Browser RUM injection',
      urls: ['cdn.appdynamics.com/adrum/'],
      globals: ['adrum-start-time', "window['adrum-start-time']"],
      cookies: ['adrum_*'],
    },
    { name: 'SpeedCurve', docs: 'SpeedCurve Documentation: LUX JavaScript snippet', urls: ['cdn.speedcurve.com/js/lux.js'] },
    {
      name: 'Application Insights',
      docs: 'Azure Monitor Documentation: Application Insights JavaScript SDK',
      urls: ['js.monitor.azure.com/scripts/', 'az416426.vo.msecnd.net/scripts/'],
      cookies: ['ai_session', 'ai_user'],
      globals: ['appinsights'],
      headers: ['request-context: appid='],
    },
  ],
}
