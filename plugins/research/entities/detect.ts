import { getDomainWithoutSuffix } from '../../_shared/public-suffixes.js'
import { sentences } from '../../_shared/sentences.js'
import type { Passage, Source } from '../run-state.js'
import { namedIn } from './in-sentence.js'
import type { Named, NamedCompany, NamedPerson } from './types.js'

const LONGEST_SENTENCE = 600
/** Legal forms of companies, which domains omit. */
const LEGAL = new Set(
  'inc incorporated ltd limited llc llp gmbh ag se corp corporation plc sa sas srl bv nv oy oyj ab asa kg kgaa company co'.split(' '),
)

/** The people and companies named in passages, without a model. The passages belong to the sources. */
export function detected(passages: readonly Passage[], sources: readonly Source[]): Named {
  const people: NamedPerson[] = []
  const companies: string[] = []
  for (const { isProse, text } of passages) {
    if (!isProse) continue
    for (const sentence of sentences(text)) {
      const named = namedIn(sentence.slice(0, LONGEST_SENTENCE))
      people.push(...named.people)
      companies.push(...named.companies)
    }
  }
  return united({ people, companies: companies.map((name) => ({ name, domain: null })) }, sources)
}

/**
 * Merged mentions, the most frequent first. People with the same name are merged only when their company is the same;
 * a person without a company is dropped when there is one with a company. A company gets the domain of a source whose
 * address contains its name.
 */
export function united({ people, companies }: Named, sources: readonly Source[]): Named {
  return {
    people: byCount(people, (person) => `${folded(person.name)}\n${folded(person.company ?? '')}`, withRole).filter(
      (person, _, all) =>
        person.company !== null || !all.some((other) => other.company !== null && folded(other.name) === folded(person.name)),
    ),
    companies: byCount(
      companies.map(({ name, domain }) => ({ name, domain: domain ?? ownDomain(name, sources) })),
      ({ name, domain }) => domain ?? folded(name),
      (one) => one,
    ),
  }
}

/** The comparison key of a name: letters and digits, without the legal form. */
export function folded(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  return (words.length > 1 && LEGAL.has(words.at(-1) ?? '') ? words.slice(0, -1) : words).join('')
}

function ownDomain(name: string, sources: readonly Source[]): string | null {
  const wanted = folded(name)
  if (wanted.length < 3) return null
  const labels = sources.map(({ domain }) => ({ domain, label: (getDomainWithoutSuffix(domain) ?? '').replace(/-/g, '') }))
  return labels.find(({ label }) => label === wanted)?.domain ?? null
}

function withRole(one: NamedPerson, other: NamedPerson): NamedPerson {
  return one.role === null ? { ...one, role: other.role } : one
}

function byCount<T extends NamedPerson | NamedCompany>(all: readonly T[], keyOf: (one: T) => string, join: (one: T, other: T) => T): T[] {
  const counted = new Map<string, { one: T; count: number }>()
  for (const each of all) {
    const key = keyOf(each)
    const known = counted.get(key)
    if (known === undefined) counted.set(key, { one: each, count: 1 })
    else counted.set(key, { one: join(known.one, each), count: known.count + 1 })
  }
  return [...counted.values()].sort((one, other) => other.count - one.count).map(({ one }) => one)
}
