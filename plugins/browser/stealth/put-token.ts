import type { Page } from 'playwright-core'

/** Runs among the page's own scripts, whose callbacks it calls; a string, since it is not code of this program. */
const PUT = `((names, token) => {
  const call = (found) => (typeof found === 'function' ? (found(token), true) : false)
  const at = (path) => (typeof path === 'string' && path !== '' ? path.split('.').reduce((object, name) => object?.[name], window) : path)
  /* The arguments of grecaptcha.render, which keeps its clients in a global object. */
  const registered = () => {
    let level = [window.___grecaptcha_cfg?.clients]
    for (let depth = 0; depth < 5; depth++) {
      const objects = level.filter((each) => Object(each) === each && !(each instanceof Node))
      const found = objects.map((each) => at(each.callback)).find((each) => typeof each === 'function')
      if (found !== undefined) return found
      level = objects.flatMap((each) => Object.values(each)).slice(0, 1000)
    }
    return undefined
  }
  const widget = document.querySelector('.g-recaptcha, .cf-turnstile, [data-sitekey]')
  const fields = names.flatMap((name) => [...document.getElementsByName(name)])
  if (fields.length === 0) {
    const field = Object.assign(document.createElement('input'), { type: 'hidden', name: names[0] })
    ;(widget?.closest('form') ?? document.forms[0] ?? document.body).append(field)
    fields.push(field)
  }
  for (const field of fields) {
    field.value = token
    for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true }))
  }
  if (call(at(widget?.dataset.callback)) || call(registered())) return true
  const form = widget?.closest('form') ?? fields[0].form
  if (!form) return false
  if (form.checkValidity()) form.requestSubmit()
  else HTMLFormElement.prototype.submit.call(form)
  return true
})`

/** The response fields of each kind of captcha, as documented. */
const FIELDS = {
  recaptcha_v2: ['g-recaptcha-response'],
  recaptcha_v3: ['g-recaptcha-response'],
  turnstile: ['cf-turnstile-response'],
} as const

/**
 * Submits the token of a solved captcha to a page: in its field, and to its callback or, without one, by sending its
 * form. False when the page has neither. Throws errors of the page's own scripts.
 */
export async function putToken(page: Page, kind: keyof typeof FIELDS, token: string): Promise<boolean> {
  return (await page.evaluate(`${PUT}(${JSON.stringify(FIELDS[kind])}, ${JSON.stringify(token)})`)) === true
}
