import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../../../core/runtime/root.js'
import { realPages, writtenPages } from '../../../plugins/scrape/gate/corpus.js'
import { scoreOf, SLACK, type Score } from '../../../plugins/scrape/gate/score.js'

const HELP = `npm run bench:extraction -- [--seen]

Token F1 of the extraction's Markdown and of Readability alone against the text of twenty written pages (plugins/scrape/gate/pages) and of twenty
pages of Debian packages (plugins/scrape/gate/real-pages.ts). Half of each kind is held out: --seen leaves it out while the extraction is
changed, so it is used only for the final figures. A document's SHA-256 decides its half.
`

const { values } = parseArgs({ options: { seen: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } } })
if (values.help) process.stdout.write(HELP)
else run()

function run(): void {
  const { pages, absent } = realPages()
  const all = [...writtenPages(join(packageRoot(), 'plugins/scrape/gate/pages')), ...pages]
  const scores = all.filter(({ half }) => !values.seen || half === 'seen').map(scoreOf)
  const lines = ['| page | half | ours | Readability | |', '|---|---|---|---|---|', ...scores.map(line)]
  for (const kind of ['written', 'real'] as const)
    for (const half of ['seen', 'held out'] as const) {
      const part = scores.filter(({ page }) => page.kind === kind && page.half === half)
      if (part.length > 0)
        lines.push(`| **${kind}, ${half}: ${part.length} pages** | | ${mean(part, 'ours')} | ${mean(part, 'readability')} | |`)
    }
  for (const { path, package: name } of absent) lines.push(`\nSkipped: ${path} of ${name} is not on this machine.`)
  process.stdout.write(`${lines.join('\n')}\n`)
}

function line({ page, ours, readability }: Score): string {
  return `| ${page.name} | ${page.half} | ${ours.toFixed(3)} | ${readability.toFixed(3)} | ${ours >= readability - SLACK ? 'met' : '**missed**'} |`
}

function mean(scores: readonly Score[], figure: 'ours' | 'readability'): string {
  return (scores.reduce((sum, score) => sum + score[figure], 0) / scores.length).toFixed(3)
}
