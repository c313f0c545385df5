/** A consent tool: how its banner is found, declined and hidden. */
export interface ConsentRule {
  /** The tool. */
  readonly name: string
  /** Buttons that decline; the first visible one is pressed. Empty when there is none, or it cannot be reached. */
  readonly reject: readonly string[]
  /** Element whose open shadow tree contains the buttons. */
  readonly host?: string
  /** Always hidden: the banner and its backdrop. */
  readonly hide: readonly string[]
}

/** Consent tools, by the element names of their own pages and scripts. */
export const CONSENT: readonly ConsentRule[] = [
  {
    name: 'OneTrust',
    reject: ['#onetrust-reject-all-handler', '#onetrust-banner-sdk .ot-bnr-reject-all', '.ot-pc-refuse-all-handler'],
    hide: ['#onetrust-consent-sdk', '#onetrust-banner-sdk'],
  },
  {
    name: 'Cookiebot',
    reject: ['#CybotCookiebotDialogBodyButtonDecline', '#CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll'],
    hide: ['#CybotCookiebotDialog', '#CybotCookiebotDialogBodyUnderlay'],
  },
  {
    name: 'Usercentrics',
    host: '#usercentrics-root',
    reject: ['[data-testid="uc-deny-all-button"]'],
    hide: ['#usercentrics-root'],
  },
  { name: 'Usercentrics 3', host: '#usercentrics-cmp-ui', reject: ['#deny', 'button.deny'], hide: ['#usercentrics-cmp-ui'] },
  {
    name: 'Didomi',
    reject: ['#didomi-notice-disagree-button', '.didomi-continue-without-agreeing'],
    hide: ['#didomi-host', '.didomi-popup-backdrop'],
  },
  {
    name: 'TrustArc',
    reject: ['#truste-consent-required'],
    hide: ['#truste-consent-track', '#consent_blackbar', '.truste_overlay', '.truste_box_overlay', '.truste_popframe'],
  },
  { name: 'InMobi and Quantcast Choice', reject: ['.qc-cmp2-container #disagree-btn'], hide: ['.qc-cmp2-container', '#qc-cmp2-container'] },
  { name: 'CookieYes', reject: ['.cky-btn-reject'], hide: ['.cky-consent-container', '.cky-overlay', '.cky-btn-revisit-wrapper'] },
  {
    name: 'Complianz',
    reject: ['.cmplz-cookiebanner .cmplz-deny'],
    hide: ['#cmplz-cookiebanner-container', '.cmplz-cookiebanner', '.cmplz-soft-cookiewall'],
  },
  { name: 'Borlabs', reject: ['#BorlabsCookieBox [data-cookie-refuse]'], hide: ['#BorlabsCookieBox'] },
  { name: 'iubenda', reject: ['.iubenda-cs-reject-btn'], hide: ['#iubenda-cs-banner'] },
  { name: 'Osano', reject: ['.osano-cm-denyAll', '.osano-cm-deny'], hide: ['.osano-cm-window', '.osano-cm-dialog'] },
  { name: 'Cookie Consent by Osano', reject: ['.cc-window .cc-deny'], hide: ['.cc-window', '.cc-banner', '.cc-revoke'] },
  { name: 'Klaro', reject: ['.klaro .cn-decline', '.klaro .cm-btn-decline'], hide: ['.klaro .cookie-notice', '.klaro .cookie-modal'] },
  { name: 'tarteaucitron', reject: ['#tarteaucitronAllDenied2', '#tarteaucitronAllDenied'], hide: ['#tarteaucitronRoot'] },
  { name: 'CookieConsent', reject: ['#cc-main .cm__btn[data-role="necessary"]'], hide: ['#cc-main', '#cc--main'] },
  { name: 'consentmanager', reject: ['#cmpbntnotxt', '#cmpwelcomebtnno a'], hide: ['#cmpbox', '#cmpbox2', '#cmpwrapper'] },
  { name: 'Google Funding Choices', reject: ['.fc-cta-do-not-consent'], hide: ['.fc-consent-root', '.fc-dialog-overlay'] },
  { name: 'Sourcepoint', reject: [], hide: ['[id^="sp_message_container_"]'] },
  { name: 'HubSpot', reject: ['#hs-eu-decline-button'], hide: ['#hs-eu-cookie-confirmation', '#hs-banner-parent'] },
  { name: 'Termly', reject: ['[data-tid="banner-decline"]'], hide: ['#termly-code-snippet-support', '.t-consentPrompt'] },
  {
    name: 'Cookie Information',
    reject: ['.coi-banner__decline', '#declineButton'],
    hide: ['#cookie-information-template-wrapper', '#coiOverlay'],
  },
  { name: 'CookieFirst', reject: ['[data-cookiefirst-action="reject"]'], hide: ['.cookiefirst-root'] },
  { name: 'CookieScript', reject: ['#cookiescript_reject'], hide: ['#cookiescript_injected', '#cookiescript_injected_wrapper'] },
  { name: 'Axeptio', reject: ['#axeptio_btn_dismiss'], hide: ['#axeptio_overlay'] },
  { name: 'Evidon', reject: ['#_evidon-decline-button'], hide: ['#_evidon_banner', '#_evidon-background'] },
  { name: 'Shopify', reject: ['#shopify-pc__banner__btn-decline'], hide: ['#shopify-pc__banner'] },
  { name: 'Cookie Notice', reject: ['#cn-refuse-cookie'], hide: ['#cookie-notice'] },
  { name: 'Moove GDPR', reject: ['.moove-gdpr-infobar-reject-btn'], hide: ['#moove_gdpr_cookie_info_bar'] },
  { name: 'CookieLawInfo', reject: ['#cookie_action_close_header_reject'], hide: ['#cookie-law-info-bar', '.cli-modal-backdrop'] },
  { name: 'Civic', reject: ['#ccc-notify-reject', '#ccc-reject-settings'], hide: ['#ccc', '#ccc-overlay'] },
  { name: 'Transcend', reject: [], hide: ['#transcend-consent-manager'] },
  { name: 'Ketch', reject: [], hide: ['#lanyard_root'] },
]

/** Chat windows and their bubbles, by the element names of their scripts. */
export const CHATS: readonly { readonly name: string; readonly hide: readonly string[] }[] = [
  { name: 'Intercom', hide: ['#intercom-container', '.intercom-lightweight-app', '#intercom-frame'] },
  { name: 'Drift', hide: ['#drift-widget', '#drift-widget-container', '#drift-frame-controller', '#drift-frame-chat'] },
  { name: 'Zendesk', hide: ['iframe#launcher', '#webWidget', '.zEWidget-launcher', 'iframe[data-product="web_widget"]'] },
  { name: 'Crisp', hide: ['.crisp-client', '#crisp-chatbox'] },
  { name: 'Tawk', hide: ['#tawkchat-container', '.tawk-min-container', 'iframe[title="chat widget"]'] },
  { name: 'LiveChat', hide: ['#chat-widget-container', '#livechat-compact-container', '#livechat-full'] },
  { name: 'HubSpot', hide: ['#hubspot-messages-iframe-container'] },
  { name: 'Tidio', hide: ['#tidio-chat'] },
  { name: 'Olark', hide: ['#olark-wrapper', '.olark-launch-button-wrapper'] },
  { name: 'Freshchat', hide: ['#fc_frame', '#freshworks-container'] },
  { name: 'Facebook', hide: ['.fb_dialog', '.fb-customerchat'] },
  { name: 'Gorgias', hide: ['#gorgias-chat-container'] },
  { name: 'Userlike', hide: ['#userlike', '[id^="userlike-"]'] },
  { name: 'Smartsupp', hide: ['#smartsupp-widget-container'] },
  { name: 'JivoChat', hide: ['jdiv'] },
  { name: 'Chatwoot', hide: ['.woot-widget-holder', '.woot--bubble-holder'] },
  { name: 'Help Scout', hide: ['#beacon-container'] },
  { name: 'Front', hide: ['#front-chat-container', '#front-chat-iframe'] },
  { name: 'Zoho SalesIQ', hide: ['#zsiq_float', '.zsiq_floatmain', '#siqiframe'] },
  { name: 'LivePerson', hide: ['.LPMcontainer', '#lpChat'] },
  { name: 'HelpCrunch', hide: ['.helpcrunch-iframe-wrapper'] },
  { name: 'Re:amaze', hide: ['#reamaze-widget'] },
  { name: 'Botpress', hide: ['#bp-web-widget-container'] },
]
