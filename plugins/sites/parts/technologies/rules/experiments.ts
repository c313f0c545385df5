import type { RuleGroup } from '../rule.js'

export const experiments: RuleGroup = {
  category: 'a/b testing',
  rules: [
    {
      name: 'Optimizely',
      docs: 'Optimizely Documentation: Web Experimentation snippet',
      urls: ['cdn.optimizely.com/js/', 'cdn.optimizely.com/public/'],
      cookies: ['optimizelyenduserid'],
      globals: ['window.optimizely'],
    },
    {
      name: 'VWO',
      docs: 'VWO Knowledge Base: SmartCode',
      urls: ['dev.visualwebsiteoptimizer.com/'],
      cookies: ['_vwo_uuid*', '_vis_opt_s'],
      globals: ['_vwo_code', '_vis_opt_'],
    },
    {
      name: 'AB Tasty',
      docs: 'AB Tasty Documentation: Tag installation',
      urls: ['try.abtasty.com/'],
      cookies: ['abtasty', 'abtastysession'],
    },
    {
      name: 'Kameleoon',
      docs: 'Kameleoon Documentation: Web installation',
      urls: ['.kameleoon.eu/', '.kameleoon.com/kameleoon.js', '.kameleoon.io/'],
      cookies: ['kameleoonvisitorcode'],
      globals: ['kameleoonqueue'],
    },
    {
      name: 'LaunchDarkly',
      docs: 'LaunchDarkly Documentation: JavaScript SDK',
      urls: ['app.launchdarkly.com/', '/launchdarkly-js-client-sdk', 'clientstream.launchdarkly.com'],
    },
    { name: 'Convert', docs: 'Convert Support: Tracking code', urls: ['cdn-4.convertexperiments.com/'], cookies: ['_conv_v', '_conv_s'] },
    {
      name: 'Google Optimize',
      docs: 'Google Optimize Resource Hub: Install snippet',
      urls: ['googleoptimize.com/optimize.js'],
      scriptUrls: ['googleoptimize.com/optimize.js'],
      globals: ["'gtm-optimize"],
      html: ['.async-hide { opacity: 0'],
    },
    {
      name: 'Statsig',
      docs: 'Statsig Documentation: JavaScript client SDK',
      urls: ['statsig-js-client', '/@statsig/js-client', '/statsig-js@'],
    },
    {
      name: 'Dynamic Yield',
      docs: 'Dynamic Yield Developers: Script implementation',
      urls: ['cdn.dynamicyield.com/', 'cdn-eu.dynamicyield.com/'],
      cookies: ['_dyid', '_dyjsession'],
      globals: ['dy.recommendationcontext'],
    },
    {
      name: 'Adobe Target',
      docs: 'Adobe Target Developer Guide: at.js',
      urls: ['/at.js', '.tt.omtrdc.net/'],
      cookies: ['mbox'],
      globals: ['adobe.target.'],
    },
  ],
}
