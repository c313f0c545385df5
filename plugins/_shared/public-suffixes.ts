import { packageAtUse } from '../../core/sdk/index.js'
import type * as Tldts from 'tldts'

/*
 * The public suffix list of tldts: 390 kB of rules that take memory twice, as source and as a tree. Loaded when the
 * first name is parsed.
 */
const tldts = packageAtUse<typeof Tldts>('tldts')

/** The parts of a host name, as `parse` of tldts. */
export const parse: typeof Tldts.parse = (name, options) => tldts().parse(name, options)

/** The registrable domain of a host name, or null, as `getDomain` of tldts. */
export const getDomain: typeof Tldts.getDomain = (name, options) => tldts().getDomain(name, options)

/** The label before the public suffix, or null, as `getDomainWithoutSuffix` of tldts. */
export const getDomainWithoutSuffix: typeof Tldts.getDomainWithoutSuffix = (name, options) => tldts().getDomainWithoutSuffix(name, options)
