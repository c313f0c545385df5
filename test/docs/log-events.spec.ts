import { expect } from 'chai'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LOG_EVENTS, type LogEvent } from '../../core/runtime/log-events.js'
import { CATALOGUE } from '../../core/problems/catalogue.js'
import { packageRoot } from '../../core/runtime/root.js'

const events: [string, LogEvent][] = Object.entries(LOG_EVENTS)

describe('events of the log', () => {
  it('docs/operate.md lists each with its level and when it is written', () => {
    const page = readFileSync(join(packageRoot(), 'docs', 'operate.md'), 'utf8')
    const [, table = ''] = /<!-- log events -->\n([^]*?)<!-- \/log events -->/.exec(page) ?? []
    const rows = events.map(
      ([name, { level, when, lasts, ends }]) =>
        `| \`${name}\` | ${level} | ${when}${lasts === undefined ? '' : ' (a state)'}${ends === undefined ? '' : ` (ends \`${ends}\`)`} |`,
    )
    expect(table.trimEnd().split('\n').slice(2)).to.deep.equal(rows)
  })

  it('docs/operate.md names the slugs to watch', () => {
    const page = readFileSync(join(packageRoot(), 'docs', 'operate.md'), 'utf8')
    const watch = page.slice(page.indexOf('## What to watch'))
    const failing = Object.entries(CATALOGUE).flatMap(([slug, { status }]) => (status >= 502 ? [slug] : []))
    for (const slug of [...failing, 'no-result', 'answer-too-large', 'key-not-allowed', 'client-closed'])
      expect(watch, slug).to.contain(`\`${slug}\``)
  })

  it('each is written somewhere, and what ends a state names one', () => {
    const core = join(packageRoot(), 'core')
    const sources = readdirSync(core, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && file !== 'log-events.ts')
      .map((file) => readFileSync(join(core, file), 'utf8'))
      .join('\n')
    expect(events.filter(([name]) => !sources.includes(`'${name}'`)).map(([name]) => name)).to.deep.equal([])
    const states = new Set(events.filter(([, { lasts }]) => lasts !== undefined).map(([name]) => name))
    for (const [name, { ends }] of events) if (ends !== undefined) expect(states.has(ends), name).to.equal(true)
  })
})
