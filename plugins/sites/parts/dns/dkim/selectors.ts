/** Selectors of mail services and servers, the most common first. */
const SELECTORS =
  'google selector1 selector2 default dkim mail k1 s1 s2 mandrill k2 k3 smtp smtpapi m1 m2 fm1 fm2 fm3 protonmail protonmail2 protonmail3 sig1 ' +
  'zoho zmail pm mx key1 key2 key3 dkim1 dkim2 cm mailjet zendesk1 zendesk2 hs1 hs2 s1024 s2048 mxvault everlytickey1 everlytickey2 eversrv mailo krs ' +
  'pic kl kl2 ctct1 ctct2 brevo1 brevo2 sendinblue mte1 mte2 dk dk1 x sm test beta alpha global sel1 sel2 primary private resend intercom fd fd2 ' +
  'fwdkim1 titan1 titan2 200608 20161025 20230601'

/** All of them, or the ten most common. */
export function selectors(depth: 'short' | 'full'): readonly string[] {
  const all = SELECTORS.split(' ')
  return depth === 'full' ? all : all.slice(0, 10)
}
