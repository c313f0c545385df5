import { isRecord, type Violation } from '../../core/sdk/index.js'
import { extract } from '../documents/contract.js'
import { readSiteName } from '../registration/contract.js'
import type { ResearchInput } from './contract.js'

/** Normalises the input: lists with distinct values, domains as A-labels in lower case. */
export function inOneForm(input: ResearchInput): ResearchInput {
  const { source_types: types, domain_whitelist: only, domain_blacklist: not } = input
  const list = typeof types === 'string' ? types.split(',').map((type) => type.trim()) : types
  return {
    ...input,
    source_types: [...new Set(list)].filter((type) => type === 'web' || type === 'news' || type === 'academic'),
    domain_whitelist: only === null ? null : [...new Set(only.map(inLabels))],
    domain_blacklist: not === null ? null : [...new Set(not.map(inLabels))],
  }
}

/** Violations of an input beyond the form of its fields. */
export function violations({ query, domain_whitelist: only, domain_blacklist: not, output_schema: schema }: ResearchInput): Violation[] {
  const found = [...domainViolations('domain_whitelist', only), ...domainViolations('domain_blacklist', not)]
  if (only !== null && not !== null && found.length === 0) {
    const denied = new Set(not.map(registrable))
    if (only.every((domain) => denied.has(registrable(domain))))
      found.push({ loc: ['domain_whitelist'], msg: 'leaves nothing: domain_blacklist names all of its domains', type: 'conflict' })
  }
  return [...found, ...schemaViolations(query, schema)]
}

/** The registrable domain of a name, or the name itself without one. */
function registrable(name: string): string {
  const read = readSiteName(name)
  return 'wrong' in read ? name : read.domain
}

function inLabels(domain: string): string {
  const read = readSiteName(domain)
  return 'wrong' in read ? domain : read.name
}

function domainViolations(field: string, domains: readonly string[] | null): Violation[] {
  return (domains ?? []).flatMap((domain, at) => {
    const read = readSiteName(domain)
    return 'wrong' in read ? [{ loc: [field, at], msg: read.wrong, type: 'domain' }] : []
  })
}

/** A schema must follow the rules of documents.extract, which fills it. */
function schemaViolations(query: string, schema: ResearchInput['output_schema']): Violation[] {
  if (schema === null) return []
  if (!isRecord(schema)) return [{ loc: ['output_schema'], msg: 'must be a JSON Schema, an object', type: 'json_schema' }]
  const found = extract.check?.({ url: null, content: query, extraction_prompt: query, schema }) ?? []
  return found.map(({ loc, ...rest }) => ({ ...rest, loc: ['output_schema', ...loc.slice(1)] }))
}
