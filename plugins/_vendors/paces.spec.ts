import { expect } from 'chai'
import type { Pace, Vendor } from '../../core/sdk/index.js'
import { crtSh } from './crt-sh.js'
import { findymail } from './findymail.js'
import { godaddy } from './godaddy.js'
import { hunter } from './hunter.js'
import { kickbox } from './kickbox.js'
import { namecheap } from './namecheap.js'
import { peopledatalabs } from './peopledatalabs.js'
import { prospeo } from './prospeo.js'
import { snov } from './snov.js'
import { thecompaniesapi } from './thecompaniesapi.js'
import { wikidata } from './wikidata.js'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The limits that vendors document: requests per period, and at once. */
const LIMITS: readonly { readonly vendor: Vendor; readonly most: readonly (readonly [number, number])[]; readonly atOnce?: number }[] = [
  {
    vendor: namecheap,
    most: [
      [MINUTE, 50],
      [HOUR, 700],
      [DAY, 8_000],
    ],
  },
  { vendor: thecompaniesapi, most: [[SECOND, 50]] },
  {
    vendor: hunter,
    most: [
      [SECOND, 15],
      [MINUTE, 500],
    ],
  },
  {
    vendor: prospeo,
    most: [
      [SECOND, 5],
      [MINUTE, 300],
    ],
  },
  { vendor: snov, most: [[MINUTE, 60]] },
  { vendor: godaddy, most: [[MINUTE, 60]] },
  { vendor: kickbox, most: [[MINUTE, 8_000]], atOnce: 25 },
  { vendor: findymail, most: [], atOnce: 300 },
  { vendor: peopledatalabs, most: [[MINUTE, 1_000]] },
  { vendor: wikidata, most: [], atOnce: 1 },
  { vendor: crtSh, most: [[MINUTE, 5]], atOnce: 1 },
]

/** The most requests a pace allows in any window of this length. */
function mostIn({ requests, perMs }: Pace, ms: number): number {
  return requests * Math.ceil(ms / perMs)
}

describe('paces of vendors keep to every limit that the vendor publishes', () => {
  for (const { vendor, most, atOnce } of LIMITS)
    it(vendor.id, () => {
      const { pace } = vendor
      if (pace === undefined) return expect.fail('it has no pace')
      for (const [ms, limit] of most) expect(mostIn(pace, ms), `in ${String(ms)} ms`).to.be.at.most(limit)
      if (atOnce !== undefined) expect(pace.concurrent ?? Infinity).to.be.at.most(atOnce)
    })
})
