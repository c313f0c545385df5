import type { RuleGroup } from '../rule.js'

export const chat: RuleGroup = {
  category: 'chat and support',
  rules: [
    {
      name: 'Intercom',
      docs: 'Intercom Developer Documentation: Installing the Messenger',
      urls: ['widget.intercom.io/', 'js.intercomcdn.com/'],
      cookies: ['intercom-id-*', 'intercom-session-*'],
      globals: ['intercomsettings', 'widget.intercom.io/widget/'],
    },
    {
      name: 'Zendesk',
      docs: 'Zendesk Developer Documentation: Web Widget',
      urls: ['static.zdassets.com/ekr/', 'ekr.zdassets.com/'],
      html: ['id="ze-snippet"'],
      globals: ['zesettings', 'window.zembed'],
    },
    {
      name: 'Drift',
      docs: 'Drift Developer Documentation: Widget installation',
      urls: ['js.driftt.com/'],
      globals: ['drift.load(', 'js.driftt.com/include/'],
    },
    {
      name: 'Crisp',
      docs: 'Crisp Developer Hub: Chatbox SDK',
      urls: ['client.crisp.chat/'],
      globals: ['crisp_website_id', 'client.crisp.chat'],
    },
    { name: 'Tawk.to', docs: 'tawk.to Help Center: JavaScript API', urls: ['embed.tawk.to/'], globals: ['tawk_api', 'embed.tawk.to'] },
    {
      name: 'LiveChat',
      docs: 'LiveChat Developer Documentation: Chat widget',
      urls: ['cdn.livechatinc.com/tracking.js'],
      globals: ['__lc.license', 'cdn.livechatinc.com'],
    },
    { name: 'Tidio', docs: 'Tidio Help Center: Install the widget', urls: ['code.tidio.co/'], globals: ['tidiochatapi'] },
    { name: 'Olark', docs: 'Olark Help: JavaScript API', urls: ['static.olark.com/'], globals: ['olark.identify(', 'static.olark.com'] },
    {
      name: 'Freshchat',
      docs: 'Freshchat Support: Web messenger',
      urls: ['wchat.freshchat.com/', 'fw-cdn.com/'],
      globals: ['fcwidget.init('],
    },
    {
      name: 'Help Scout',
      docs: 'Help Scout Developers: Beacon JavaScript API',
      urls: ['beacon-v2.helpscout.net/'],
      globals: ["beacon('init'", 'beacon-v2.helpscout.net'],
    },
    {
      name: 'Gorgias',
      docs: 'Gorgias Developers: Chat widget',
      urls: ['config.gorgias.chat/', 'config.gorgias.io/'],
      globals: ['gorgiaschat'],
    },
    { name: 'HubSpot Chat', docs: 'HubSpot Developer Documentation: Conversations SDK', urls: ['js.usemessages.com/'] },
    {
      name: 'Userlike',
      docs: 'Userlike Documentation: Widget installation',
      urls: ['userlike-cdn-widgets.s3-eu-west-1.amazonaws.com/', 'cdn.userlike.com/'],
    },
    { name: 'JivoChat', docs: 'JivoChat Help: Install the widget', urls: ['code.jivosite.com/', 'code.jivo.ru/'] },
    {
      name: 'Chatwoot',
      docs: 'Chatwoot Documentation: Website live chat',
      urls: ['app.chatwoot.com/packs/js/sdk.js'],
      globals: ['chatwootsdk.run('],
    },
    { name: 'Kustomer', docs: 'Kustomer Developer Documentation: Chat SDK', urls: ['cdn.kustomerapp.com/chat-web/'] },
  ],
}
