import 'reflect-metadata'
import { asTable, complaintsAbout, type Answered } from '../test/support/mistakes.js'

/** The generator of each table of mistakes, loaded when it is needed. */
const TABLES: Readonly<Record<string, () => Promise<readonly Answered[]>>> = {
  commands: async () => await (await import('../test/mistakes/commands/answers.js')).commandMistakes(),
  settings: async () => (await (await import('../test/mistakes/settings/answers.js')).settingMistakes()).answers,
  routes: async () => await (await import('../test/mistakes/routes/answers.js')).routeMistakes(),
}

const tables = process.argv.slice(2)
const unknown = tables.filter((name) => !Object.hasOwn(TABLES, name))
if (unknown.length > 0) {
  process.stderr.write(`there is no table ${unknown.join(', ')}; there are ${Object.keys(TABLES).join(', ')}\n`)
  process.exitCode = 2
} else await print(tables.length === 0 ? Object.keys(TABLES) : tables)

async function print(names: readonly string[]): Promise<void> {
  for (const name of names) {
    const rows = (await TABLES[name]?.()) ?? []
    const complaints = rows.flatMap(complaintsAbout)
    process.stdout.write(`## ${name}: ${rows.length} mistakes\n\n${asTable(rows)}\n`)
    for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
    if (complaints.length > 0) process.exitCode = 1
  }
}
