import type { RuleGroup } from '../rule.js'

export const marketing: RuleGroup = {
  category: 'marketing',
  rules: [
    {
      name: 'HubSpot',
      docs: 'HubSpot Developer Documentation: Tracking code',
      urls: ['js.hs-scripts.com/', 'js.hs-analytics.net/', 'js.hsforms.net/', 'js.hs-banner.com/'],
      cookies: ['hubspotutk', '__hstc'],
      globals: ['hbspt.forms.create('],
    },
    {
      name: 'Mailchimp',
      docs: 'Mailchimp Help: Connected sites, embedded forms',
      urls: ['chimpstatic.com/mcjs-connected/', 'list-manage.com/subscribe', 'cdn-images.mailchimp.com/embedcode/'],
      html: ['id="mc_embed_signup'],
    },
    {
      name: 'Klaviyo',
      docs: 'Klaviyo Developers: klaviyo.js',
      urls: ['static.klaviyo.com/onsite/', 'static-tracking.klaviyo.com/'],
      cookies: ['__kla_id'],
      html: ['class="klaviyo-form'],
    },
    {
      name: 'Marketo',
      docs: 'Adobe Marketo Engage Documentation: Munchkin',
      urls: ['munchkin.marketo.net/', '.mktoresp.com/', '/js/forms2/js/forms2.min.js'],
      cookies: ['_mkto_trk'],
      globals: ['munchkin.init(', 'mktoforms2.loadform('],
    },
    {
      name: 'Salesforce Account Engagement',
      docs: 'Account Engagement Help: Tracking code',
      urls: ['pi.pardot.com/', '.pardot.com/pd.js'],
      cookies: ['visitor_id*'],
      scriptUrls: ['pi.pardot.com'],
      globals: ['piaid ='],
    },
    {
      name: 'ActiveCampaign',
      docs: 'ActiveCampaign Help: Site tracking',
      urls: ['diffuser-cdn.app-us1.com/', '.activehosted.com/'],
      globals: ["vgo('setaccount'"],
    },
    {
      name: 'Brevo',
      docs: 'Brevo Developers: Tracker',
      urls: ['sibautomation.com/sa.js', 'sibforms.com/', 'cdn.brevo.com/js/'],
      globals: ['sendinblue'],
    },
    { name: 'Omnisend', docs: 'Omnisend Developers: Snippet', urls: ['omnisnippet1.com/', 'omnisrc.com/'] },
    { name: 'Attentive', docs: 'Attentive Developers: Tag', urls: ['cdn.attn.tv/'] },
    { name: 'OptinMonster', docs: 'OptinMonster Documentation: Embed code', urls: ['a.omappapi.com/', 'a.opmnstr.com/', 'a.optmstr.com/'] },
    { name: 'Sumo', docs: 'Sumo Help: Install', urls: ['load.sumo.com/', 'load.sumome.com/'] },
    {
      name: 'ConvertKit',
      docs: 'Kit Help Center: Embed forms',
      urls: ['f.convertkit.com/', '.ck.page/', 'app.kit.com/forms', 'app.convertkit.com/forms'],
    },
    {
      name: 'Calendly',
      docs: 'Calendly Developer: Embed options',
      urls: ['assets.calendly.com/assets/external/'],
      html: ['class="calendly-inline-widget'],
    },
    {
      name: 'Typeform',
      docs: 'Typeform Developers: Embed SDK',
      urls: ['embed.typeform.com/', '.typeform.com/to/'],
      html: ['data-tf-widget=', 'data-tf-live='],
    },
    {
      name: 'OneSignal',
      docs: 'OneSignal Documentation: Web push setup',
      urls: ['cdn.onesignal.com/sdks/'],
      globals: ['onesignal.init(', 'onesignaldeferred'],
    },
    { name: 'Braze', docs: 'Braze Documentation: Web SDK', urls: ['js.appboycdn.com/web-sdk/'], globals: ['braze.initialize('] },
  ],
}
