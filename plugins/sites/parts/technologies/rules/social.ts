import type { RuleGroup } from '../rule.js'

export const social: RuleGroup = {
  category: 'social and reviews',
  rules: [
    {
      name: 'Disqus',
      docs: 'Disqus Help: Universal embed code',
      urls: ['.disqus.com/embed.js', '.disqus.com/count.js'],
      html: ['id="disqus_thread"'],
      globals: ['disqus_shortname', 'disqus_config'],
    },
    { name: 'Trustpilot', docs: 'Trustpilot Support: TrustBox', urls: ['widget.trustpilot.com/'], html: ['class="trustpilot-widget'] },
    { name: 'Trusted Shops', docs: 'Trusted Shops Help: Trustbadge integration', urls: ['widgets.trustedshops.com/'] },
    {
      name: 'Yotpo',
      docs: 'Yotpo Support: Widget installation',
      urls: ['staticw2.yotpo.com/', 'cdn-widgetsrepository.yotpo.com/'],
      html: ['class="yotpo '],
    },
    { name: 'Judge.me', docs: 'Judge.me Help: Widgets', urls: ['cdn.judge.me/', 'cdnwidget.judge.me/'], html: ['class="jdgm-'] },
    {
      name: 'Bazaarvoice',
      docs: 'Bazaarvoice Developer: Loader',
      urls: ['apps.bazaarvoice.com/deployments/', 'display.ugc.bazaarvoice.com/'],
      html: ['data-bv-show='],
    },
    {
      name: 'ShareThis',
      docs: 'ShareThis Support: Installation',
      urls: ['platform-api.sharethis.com/', 'w.sharethis.com/'],
      html: ['class="sharethis-'],
    },
    { name: 'AddToAny', docs: 'AddToAny: Documentation', urls: ['static.addtoany.com/'], html: ['class="a2a_kit'] },
    {
      name: 'Facebook SDK',
      docs: 'Meta for Developers: Facebook SDK for JavaScript',
      urls: ['connect.facebook.net/en_us/sdk.js', 'connect.facebook.net/en_us/all.js', 'facebook.com/plugins/'],
      html: ['id="fb-root"'],
      globals: ['fb.init('],
    },
    {
      name: 'X embeds',
      docs: 'X Developer Platform: X for websites',
      urls: ['platform.twitter.com/widgets.js'],
      html: ['class="twitter-timeline', 'class="twitter-tweet'],
    },
    {
      name: 'Instagram embeds',
      docs: 'Meta for Developers: Instagram oEmbed',
      urls: ['instagram.com/embed.js'],
      html: ['class="instagram-media'],
    },
    {
      name: 'Google Sign-In',
      docs: 'Google Identity: Sign in with Google for web',
      urls: ['accounts.google.com/gsi/client', 'apis.google.com/js/platform.js'],
      html: ['id="g_id_onload"'],
    },
    { name: 'Gravatar', docs: 'Gravatar Developer Documentation: Avatars', urls: ['gravatar.com/avatar/'] },
  ],
}
