import type { RuleGroup } from '../rule.js'

export const advertising: RuleGroup = {
  category: 'advertising',
  rules: [
    {
      name: 'Google AdSense',
      docs: 'Google AdSense Help: Ad code implementation',
      urls: ['pagead2.googlesyndication.com/pagead/js/adsbygoogle.js'],
      html: ['class="adsbygoogle', 'name="google-adsense-account"'],
    },
    {
      name: 'Google Ads',
      docs: 'Google Ads Help: Google tag',
      urls: ['googletagmanager.com/gtag/js?id=aw-', 'googleadservices.com/pagead/'],
      cookies: ['_gcl_au'],
      globals: ["gtag('config', 'aw-", "gtag('config','aw-"],
    },
    {
      name: 'Google Publisher Tag',
      docs: 'Google Publisher Tag: Get started',
      urls: ['securepubads.g.doubleclick.net/tag/js/gpt.js', 'googletagservices.com/tag/js/gpt.js'],
      globals: ['googletag.cmd.push(', 'googletag.defineslot('],
    },
    {
      name: 'Meta Pixel',
      docs: 'Meta for Developers: Meta Pixel, get started',
      urls: ['connect.facebook.net/en_us/fbevents.js', 'facebook.com/tr?id='],
      cookies: ['_fbp'],
      globals: ["fbq('init'", 'fbevents.js'],
    },
    {
      name: 'LinkedIn Insight Tag',
      docs: 'LinkedIn Marketing Solutions Help: Insight Tag',
      urls: ['snap.licdn.com/li.lms-analytics/', 'px.ads.linkedin.com/'],
      globals: ['_linkedin_partner_id', 'snap.licdn.com'],
    },
    {
      name: 'TikTok Pixel',
      docs: 'TikTok Business Help Center: TikTok Pixel',
      urls: ['analytics.tiktok.com/i18n/pixel/'],
      cookies: ['_ttp'],
      globals: ['ttq.load(', 'analytics.tiktok.com'],
    },
    {
      name: 'X Pixel',
      docs: 'X Business: Conversion tracking',
      urls: ['static.ads-twitter.com/uwt.js'],
      globals: ['static.ads-twitter.com', "twq('init'", "twq('config'"],
    },
    {
      name: 'Pinterest Tag',
      docs: 'Pinterest Developers: Pinterest tag',
      urls: ['s.pinimg.com/ct/core.js', 'ct.pinterest.com/'],
      globals: ["pintrk('load'", 's.pinimg.com/ct/core.js'],
    },
    {
      name: 'Snap Pixel',
      docs: 'Snap Business Help Center: Snap Pixel',
      urls: ['sc-static.net/scevent.min.js'],
      globals: ["snaptr('init'", 'sc-static.net/scevent'],
    },
    {
      name: 'Reddit Pixel',
      docs: 'Reddit Ads Help: Reddit Pixel',
      urls: ['redditstatic.com/ads/'],
      globals: ["rdt('init'", 'redditstatic.com/ads/pixel.js'],
    },
    {
      name: 'Microsoft Advertising',
      docs: 'Microsoft Advertising Help: UET tag',
      urls: ['bat.bing.com/bat.js'],
      cookies: ['_uetsid', '_uetvid'],
      globals: ['bat.bing.com/bat.js', 'window.uetq'],
    },
    {
      name: 'Criteo',
      docs: 'Criteo Developer Portal: OneTag',
      urls: ['static.criteo.net/', 'dynamic.criteo.com/js/ld/'],
      globals: ['window.criteo_q'],
    },
    {
      name: 'Taboola',
      docs: 'Taboola Help Center: Taboola Pixel',
      urls: ['cdn.taboola.com/libtrc/'],
      globals: ['window._taboola', '_tfa.push('],
    },
    {
      name: 'Outbrain',
      docs: 'Outbrain Help Center: Widget implementation',
      urls: ['widgets.outbrain.com/', 'amplify.outbrain.com/'],
      globals: ['obapi('],
    },
    {
      name: 'Amazon Publisher Services',
      docs: 'Amazon Publisher Services: apstag.js',
      urls: ['c.amazon-adsystem.com/aax2/apstag.js', 'amazon-adsystem.com/'],
      globals: ['apstag.init('],
    },
    {
      name: 'Prebid.js',
      docs: 'Prebid.js Documentation: Getting started',
      urls: ['/prebid.js', '/prebid{version}.js'],
      globals: ['pbjs.que.push(', 'pbjs.addadunits('],
    },
  ],
}
