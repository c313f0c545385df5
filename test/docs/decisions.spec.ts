import { expect } from 'chai'
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { decisionRecords, pages, source } from '../support/pages.js'

const INDEX = 'core/decisions/README.md'
const MOST_RECORDS = 60
const MOST_LINES = 45
const records = decisionRecords()
const numberOf = (path: string): string => basename(path).slice(0, 4)

/** Sources below a folder, by their paths below the root. */
function sources(folder: string): string[] {
  return readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
}

describe('records of decisions', () => {
  it('are found in core and beside plugins, each number once, and are no more than the index allows', () => {
    expect(records.some((path) => path.startsWith('core/'))).to.equal(true)
    expect(records.some((path) => path.startsWith('plugins/'))).to.equal(true)
    expect(records.filter((path) => !/^\d{4}-[a-z0-9-]+\.md$/.test(basename(path)))).to.deep.equal([])
    const numbers = records.map(numberOf)
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).to.deep.equal([])
    expect(records.length).to.be.at.most(MOST_RECORDS)
    expect(source(INDEX)).to.contain(`at most ${MOST_RECORDS} records`)
  })

  it('have their number, the three parts in order and at most a page', () => {
    const wrong = records.filter((path) => {
      const text = source(path)
      const headings = [...text.matchAll(/^#+ .*$/gm)].map(([line]) => line)
      return (
        headings[0]?.startsWith(`# ${numberOf(path)}. `) !== true ||
        headings.slice(1).join() !== '## Context,## Decision,## Consequences' ||
        text.trimEnd().split('\n').length > MOST_LINES
      )
    })
    expect(wrong).to.deep.equal([])
    expect(source(INDEX)).to.contain(`at most ${MOST_LINES} lines`)
  })

  it('the index names every record once, under its number, and none that is not there', () => {
    const named = [...source(INDEX).matchAll(/\[(\d{4})\]\(([^)]+)\)/g)].map(([, number = '', link = '']) => ({
      number,
      path: join(dirname(INDEX), link),
    }))
    expect(named.map(({ path }) => path).sort()).to.deep.equal([...records].sort())
    expect(named.filter(({ number, path }) => number !== numberOf(path))).to.deep.equal([])
  })

  it('the page of a plugin links to its records', () => {
    const ofPlugins = records.filter((path) => path.startsWith('plugins/'))
    const wrong = ofPlugins.filter((path) => {
      const folder = dirname(dirname(path))
      const page = existsSync(join(packageRoot(), folder, 'README.md')) ? `${folder}/README.md` : 'docs/plugins/vendors.md'
      return !source(page).includes(`(${relative(dirname(page), path)})`)
    })
    expect(wrong).to.deep.equal([])
  })

  it('that pages and comments refer to are there', () => {
    const known = new Set(records.map(numberOf))
    const files = [...pages({ decisions: true }), 'CHANGELOG.md', ...sources('core'), ...sources('plugins')]
    const wrong = files.flatMap((path) =>
      [...source(path).matchAll(/(?:decision|record)s? (0\d{3})|\[(0\d{3})\]|\((0\d{3}(?:, 0\d{3})*)\)/g)]
        .flatMap(([, ...found]) => found.flatMap((numbers) => (numbers === undefined ? [] : numbers.split(', '))))
        .filter((number) => !known.has(number))
        .map((number) => `${path}: ${number}`),
    )
    expect(wrong).to.deep.equal([])
  })
})
