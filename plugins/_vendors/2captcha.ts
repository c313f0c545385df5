import { Fault, isRecord, vendor, type FaultKind, type Reply } from '../../core/sdk/index.js'

/** 2Captcha API v2. Errors come with status 200 and are recognised by `errorId`. */
export const twoCaptcha = vendor({
  id: '2captcha',
  title: '2Captcha',
  home: 'https://2captcha.com/api-docs',
  baseUrl: 'https://api.2captcha.com',
  secrets: { api_key: 'TWOCAPTCHA_API_KEY' },
  auth: (secret) => ({ json: { clientKey: secret('api_key') } }),
  fault: errorOf,
})

/** https://2captcha.com/api-docs/error-codes */
const KINDS: Readonly<Record<string, FaultKind>> = {
  ERROR_KEY_DOES_NOT_EXIST: 'credentials',
  ERROR_IP_NOT_ALLOWED: 'credentials',
  ERROR_ZERO_BALANCE: 'quota',
  ERROR_NO_SLOT_AVAILABLE: 'busy',
  ERROR_IP_BLOCKED: 'busy',
  ERROR_CAPTCHA_UNSOLVABLE: 'missing',
  ERROR_RECAPTCHA_INVALID_SITEKEY: 'invalid',
  ERROR_NO_SUCH_METHOD: 'invalid',
  ERROR_TASK_ABSENT: 'invalid',
  ERROR_TASK_NOT_SUPPORTED: 'invalid',
}
const SENTENCES: Partial<Record<FaultKind, string>> = {
  credentials: '2Captcha does not accept the key, or not from this address.',
  quota: 'The balance at 2Captcha is used up.',
  busy: '2Captcha has nobody free to solve it.',
  missing: 'The captcha could not be solved.',
  invalid: '2Captcha does not accept this captcha; site_key may be wrong.',
}

function errorOf({ body }: Reply): Fault | undefined {
  if (!isRecord(body) || typeof body.errorId !== 'number' || body.errorId === 0) return undefined
  const code = typeof body.errorCode === 'string' ? body.errorCode.slice(0, 100) : `errorId ${String(body.errorId)}`
  const kind = KINDS[code] ?? 'broken'
  return new Fault(kind, SENTENCES[kind] ?? '2Captcha failed.', { internal: code })
}
