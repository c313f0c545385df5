import { expect } from 'chai'
import { says, type Check } from '../checks.js'
import { TEXTS, WORDS } from '../texts.js'
import type { Trip } from './types.js'

/** The table of the samples with tabs, which then needs no quotes. */
const TABBED = `Name\tText\none\t${WORDS}\n`

/** A table becomes records, and those the same table. */
export function tables(): Trip[] {
  const csv = TEXTS['csv'] ?? ''
  return [
    {
      engine: 'tables',
      data: csv,
      steps: [
        { from: 'csv', to: 'json', check: records },
        { from: 'json', to: 'csv', check: says(csv.trim().replace(/\s+/g, ' ')) },
      ],
    },
    {
      engine: 'tables',
      data: TABBED,
      steps: [
        { from: 'tsv', to: 'json', check: records },
        { from: 'json', to: 'tsv', check: tabbed },
      ],
    },
  ]
}

const records: Check = (bytes) => {
  expect(JSON.parse(bytes.toString())).to.deep.equal([{ Name: 'one', Text: WORDS }])
}

const tabbed: Check = (bytes) => {
  expect(bytes.toString()).to.equal(TABBED)
}
