import { expect } from 'chai'
import { Fault, runHandler, type HandlerContext } from '../../core/sdk/index.js'
import { domainsHandler } from './handler.js'
import { allExtensions } from './catalogue/extensions.js'

interface Outcome {
  readonly asked: unknown[]
  readonly extensions?: { tld: string }[]
  readonly fault?: { kind: string; loc: unknown; message: string }
}

/** Suggests extensions for a company that `companies.find` has, does not have, or cannot look up. */
async function suggested(known: Record<string, unknown> | null, { live = true } = {}): Promise<Outcome> {
  const asked: unknown[] = []
  const call = (port: { id: string }, input: unknown): Promise<unknown> => {
    if (port.id === 'domains.catalogue') return Promise.resolve({ extensions: allExtensions() })
    asked.push([port.id, input])
    return known === null ? Promise.reject(new Fault('missing', 'Nobody knows it.')) : Promise.resolve(known)
  }
  const context = {
    call,
    has: () => live,
    providers: () => [],
    aside: (task: (side: unknown) => Promise<unknown>) => task(context).catch(() => null),
    note: () => undefined,
  } as unknown as HandlerContext
  const input = { mode: 'suggest-extensions', company_id: 'acme.com' }
  const nothing = { company_name: null, description: null, query: null, domains: null, tlds: null, exact_extension: false, offset: 0 }
  try {
    const answer = (await runHandler(domainsHandler, { ...nothing, ...input }, context)) as { extensions: { tld: string }[] }
    return { asked, extensions: answer.extensions }
  } catch (error) {
    if (!Fault.is(error)) throw error
    return { asked, fault: { kind: error.kind, loc: error.loc, message: error.message } }
  }
}

describe('domains: company_id', () => {
  it('what companies.find knows grounds the suggestions', async () => {
    const { asked, extensions } = await suggested({
      company_name: 'Acme',
      description: 'Roasts coffee.',
      industry: 'Food',
      value_proposition: null,
    })
    expect(asked).to.deep.equal([['companies.find', { domain: 'acme.com' }]])
    expect(extensions?.[0]).to.include({ tld: 'coffee' })
  })

  it('a company that nobody knows, or that nobody can look up, is refused at the field', async () => {
    expect((await suggested(null)).fault).to.deep.include({ kind: 'invalid', loc: ['company_id'] })
    const { asked, fault } = await suggested({}, { live: false })
    expect([asked, fault?.kind, fault?.loc]).to.deep.equal([[], 'invalid', ['company_id']])
  })
})
