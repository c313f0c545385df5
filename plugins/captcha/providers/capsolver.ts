import { provider } from '../../../core/sdk/index.js'
import { capsolver as vendor } from '../../_vendors/capsolver.js'
import { captchaSolve, type Captcha } from '../contract.js'
import { given } from '../fields.js'
import { settings } from '../settings.js'
import { solve } from '../task.js'

/** Every 3 s or slower, and at most 120 times, by https://docs.capsolver.com/en/guide/api-gettaskresult/. */
const EVERY_MS = 3_000

/** Solved by models: 1 to 30 s, at most 120. Full-page challenges require a proxy there and are not supported. */
export const capsolver = provider(captchaSolve, {
  vendor,
  settings,
  rank: 20,
  timeoutMs: 150_000,
  serves: ({ kind, page_data }) => kind !== 'turnstile' || page_data === null,
  run: (input, context) => solve(input, { task: taskOf(input), everyMs: EVERY_MS }, context),
})

/** Task types and fields by https://docs.capsolver.com/en/guide/captcha/. */
function taskOf(input: Captcha): Record<string, unknown> {
  const { site_key, page_url, invisible, enterprise, action, data_s, data, user_agent } = input
  const page = { websiteURL: page_url, websiteKey: site_key }
  const metadata = given({ action, cdata: data })
  switch (input.kind) {
    case 'recaptcha_v2':
      return {
        type: enterprise ? 'ReCaptchaV2EnterpriseTaskProxyLess' : 'ReCaptchaV2TaskProxyLess',
        ...page,
        ...(invisible ? { isInvisible: true } : {}),
        ...given({ pageAction: action, userAgent: user_agent }),
        ...given(enterprise ? { enterprisePayload: data_s === null ? null : { s: data_s } } : { recaptchaDataSValue: data_s }),
      }
    case 'recaptcha_v3':
      return {
        type: enterprise ? 'ReCaptchaV3EnterpriseTaskProxyLess' : 'ReCaptchaV3TaskProxyLess',
        ...page,
        ...given({ pageAction: action, userAgent: user_agent }),
      }
    case 'turnstile':
      return { type: 'AntiTurnstileTaskProxyLess', ...page, ...(Object.keys(metadata).length === 0 ? {} : { metadata }) }
  }
}
