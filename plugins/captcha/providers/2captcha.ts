import { provider } from '../../../core/sdk/index.js'
import { twoCaptcha as vendor } from '../../_vendors/2captcha.js'
import { captchaSolve, type Captcha } from '../contract.js'
import { given } from '../fields.js'
import { settings } from '../settings.js'
import { solve } from '../task.js'

/** At most every 5 s, by https://2captcha.com/api-docs/get-task-result. */
const EVERY_MS = 5_000

/** API v2, solved by people: 10 to 60 s for reCAPTCHA. */
export const twoCaptcha = provider(captchaSolve, {
  vendor,
  settings,
  rank: 10,
  timeoutMs: 150_000,
  run: (input, context) => solve(input, { task: taskOf(input), everyMs: EVERY_MS }, context),
})

/** Task types and fields by https://2captcha.com/api-docs. */
function taskOf(input: Captcha): Record<string, unknown> {
  const { site_key, page_url, invisible, enterprise, action, min_score, data_s, data, page_data, user_agent } = input
  const page = given({ websiteURL: page_url, websiteKey: site_key, userAgent: user_agent })
  switch (input.kind) {
    case 'recaptcha_v2':
      return {
        type: enterprise ? 'RecaptchaV2EnterpriseTaskProxyless' : 'RecaptchaV2TaskProxyless',
        ...page,
        ...(invisible ? { isInvisible: true } : {}),
        ...given(enterprise ? { enterprisePayload: data_s === null ? null : { s: data_s } } : { recaptchaDataSValue: data_s }),
      }
    case 'recaptcha_v3':
      return {
        type: 'RecaptchaV3TaskProxyless',
        ...page,
        minScore: min_score,
        ...given({ pageAction: action }),
        ...(enterprise ? { isEnterprise: true } : {}),
      }
    case 'turnstile':
      return { type: 'TurnstileTaskProxyless', ...page, ...given({ action, data, pagedata: page_data }) }
  }
}
