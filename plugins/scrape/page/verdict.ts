import { Fault } from '../../../core/sdk/index.js'
import type { Verdict } from '../work/block-page.js'
import { ADDRESS_REMEDY } from './remedies.js'

/**
 * The Fault for a page that is not its content: refusals of sites are `blocked`, missing pages are `missing`.
 * `scripts`: the page was read in a browser, after its scripts ran.
 */
export function verdictFault({ kind, name }: Verdict, scripts: boolean): Fault {
  switch (kind) {
    case 'block':
      return new Fault('blocked', `the page is a check or refusal of ${name} instead of its content`)
    case 'captcha':
      return new Fault('blocked', `the page shows a captcha instead of its content${name === 'a captcha' ? '' : ` (${name})`}`)
    case 'login':
      return new Fault('blocked', `the page wants a login: what it shows is ${name}`)
    case 'missing':
      return new Fault('missing', 'the page does not exist, according to a page of its site with status 200', {
        final: true,
        remedy: ADDRESS_REMEDY,
      })
    case 'empty':
      return new Fault('missing', `${noContent(scripts)}; what was read is ${name}`)
  }
}

/** The message for a page without content, with advice. */
export function noContent(scripts: boolean): string {
  return scripts
    ? 'the page had no readable content by the time its scripts came to rest; wait_for may name an element of its content'
    : 'the page has no readable content without its scripts, which mode standard runs'
}

/** Distinguishes refusals and checks from a temporarily unavailable site, which uses the same statuses. */
export function isRefusal(verdict: Verdict | null): verdict is Verdict {
  return verdict !== null && (verdict.kind === 'block' || verdict.kind === 'captcha' || verdict.kind === 'login')
}
