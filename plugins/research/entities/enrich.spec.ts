import { expect } from 'chai'
import { Fault, type HandlerContext } from '../../../core/sdk/index.js'
import { Budget, BUDGETS } from '../budget.js'
import { enriched } from './enrich.js'
import type { Named } from './types.js'

type Answer = (input: Record<string, unknown>) => unknown

/** A context whose lookups return these answers, or are unavailable. */
function contextWith(ports: Readonly<Record<string, Answer>>) {
  const asked: Record<string, unknown>[] = []
  const context = {
    has: ({ id }: { id: string }) => id in ports,
    call: async ({ id }: { id: string }, input: Record<string, unknown>) => {
      asked.push(input)
      return await ports[id]?.(input)
    },
    aside: async (task: (context: unknown) => Promise<unknown>) => {
      try {
        return await task(context)
      } catch (error) {
        if (Fault.is(error)) return null
        throw error
      }
    },
    progress: () => undefined,
  }
  return { ctx: context as unknown as HandlerContext, asked }
}

function optionsWith(timeLeft = 10_000) {
  const budget = new Budget(BUDGETS.standard, { tokens: 0, timeLeft: () => 63_000 })
  return { budget, atOnce: 2, timeLeft: () => timeLeft }
}

const profileOf = (company: string, title: string) => ({ company, title, experience: [{ company }] })
const person = (company: string | null) => ({ name: 'First Last', role: null, company })

describe('research: what is looked up of people and companies', () => {
  it('a company by the domain of its own site, a person by name and company', async () => {
    const { ctx, asked } = contextWith({
      'companies.find': () => ({ company_name: 'Acme Works', industry: 'Kettles', employees: 120 }),
      'profiles.find': () => profileOf('Acme Works', 'Chief kettle officer'),
    })
    const named: Named = {
      people: [person('Acme')],
      companies: [
        { name: 'Acme', domain: 'acme.test' },
        { name: 'Zenith', domain: null },
      ],
    }
    expect(await enriched(named, ctx, optionsWith())).to.deep.equal({
      people: [{ name: 'First Last', role: 'Chief kettle officer', company: 'Acme' }],
      companies: [
        { name: 'Acme', domain: 'acme.test', industry: 'Kettles', employee_count: 120 },
        { name: 'Zenith', domain: null, industry: null, employee_count: null },
      ],
      enriched: 2,
    })
    expect(asked.map(({ domain, company }) => domain ?? company)).to.deep.equal(['acme.test', 'Acme'])
  })

  it('what is found of another company, or of somebody of the name elsewhere, is left out', async () => {
    const { ctx } = contextWith({
      'companies.find': () => ({ company_name: 'Zenith', industry: 'Lamps', employees: 7 }),
      'profiles.find': () => profileOf('Zenith', 'Lamp lighter'),
    })
    const {
      people,
      companies,
      enriched: known,
    } = await enriched({ people: [person('Acme')], companies: [{ name: 'Acme', domain: 'acme.test' }] }, ctx, optionsWith())
    expect([people[0]?.role, companies[0]?.industry, known]).to.deep.equal([null, null, 0])
  })

  it('two people of one name are looked up apart, each with their own company', async () => {
    const { ctx } = contextWith({ 'profiles.find': ({ company }) => profileOf(String(company), `Head of ${String(company)}`) })
    const { people } = await enriched({ people: [person('Acme'), person('Zenith')], companies: [] }, ctx, optionsWith())
    expect(people.map(({ role }) => role)).to.deep.equal(['Head of Acme', 'Head of Zenith'])
  })

  it('no more than the counter grants are looked up, and one that fails leaves the others', async () => {
    const { ctx, asked } = contextWith({
      'companies.find': ({ domain }) => {
        if (domain === 'c1.test') throw new Fault('busy', 'no room')
        return { company_name: null, industry: 'Kettles', employees: null }
      },
    })
    const options = optionsWith()
    const companies = Array.from({ length: 9 }, (_, at) => ({ name: `C${String(at)}`, domain: `c${String(at)}.test` }))
    const { enriched: known } = await enriched({ people: [], companies }, ctx, options)
    expect([asked.length, known, options.budget.exhausted]).to.deep.equal([5, 4, true])
  })

  it('without time, or without anybody to ask, all are given as they were named', async () => {
    const { ctx, asked } = contextWith({ 'profiles.find': () => profileOf('Acme', 'x') })
    const late = await enriched({ people: [person('Acme')], companies: [] }, ctx, optionsWith(0))
    const nobody = await enriched({ people: [person('Acme')], companies: [] }, contextWith({}).ctx, optionsWith())
    expect([asked.length, late.enriched, nobody.enriched, nobody.people.length]).to.deep.equal([0, 0, 0, 1])
  })
})
