import type { Services } from '../../../../core/sdk/index.js'
import { valuesOf } from './records.js'

export interface DmarcFound {
  readonly record: string
  /** Where the record stands. */
  readonly domain: string
  /** What holds for the name that was asked about. */
  readonly policy: string | null
}

/** The DMARC record of a name, else of the registrable domain above it (RFC 7489 6.6.3); null when there is none. */
export async function dmarcRecord(
  { domain, registrable }: { readonly domain: string; readonly registrable: string },
  ctx: Services,
): Promise<DmarcFound | null> {
  const [own, above] = await Promise.all([
    recordAt(domain, ctx),
    domain === registrable ? Promise.resolve(null) : recordAt(registrable, ctx),
  ])
  if (own !== null) return { record: own, domain, policy: tagOf(own, 'p') }
  return above === null ? null : { record: above, domain: registrable, policy: tagOf(above, 'sp') ?? tagOf(above, 'p') }
}

async function recordAt(domain: string, ctx: Services): Promise<string | null> {
  return (await valuesOf(`_dmarc.${domain}`, 'TXT', ctx)).find((text) => /^v=DMARC1\s*(?:;|$)/i.test(text)) ?? null
}

/** The value of a tag in a record of the form `a=b; c=d`, in lower case; null when it is not there. */
export function tagOf(record: string, tag: string): string | null {
  for (const piece of record.split(';')) {
    const [name = '', ...value] = piece.split('=')
    if (name.trim().toLowerCase() === tag) return value.join('=').trim().toLowerCase() || null
  }
  return null
}
