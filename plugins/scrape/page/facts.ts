import { Fault, type Services } from '../../../core/sdk/index.js'
import type { PageFacts } from '../facts-contract.js'
import type { FactsInput, FactsOutput } from '../work/facts.js'
import type { Got } from './html.js'
import { isLoginRedirect, statusFault } from './status.js'
import { bounded, inWorker } from './worker.js'

const FACTS = new URL('../work/facts.js', import.meta.url)

/** Reads what a document says of itself. Throws `blocked` for refusals, challenges, login pages and what is over a limit. */
export async function readFacts(context: Services, got: Got, asked: string): Promise<PageFacts> {
  const refused = statusFault(got.status)
  if (refused !== null) throw refused
  const input: FactsInput = { html: bounded(got.html), url: got.url }
  const found = await inWorker<FactsOutput>(context, FACTS, input)
  if ('limit' in found) throw new Fault('blocked', found.limit)
  if (found.block !== null) throw new Fault('blocked', `the page is a check or refusal of ${found.block} instead of its content`)
  if (isLoginRedirect(asked, got.url, found)) throw new Fault('blocked', 'the page leads to a login page')
  return found.facts
}
