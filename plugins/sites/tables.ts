import { GRADES, WEIGHTS } from './parts/security/weights.js'
import { RULES } from './parts/technologies/rules/index.js'

/** The tables of README.md by name, as Markdown. */
export function siteTables(): Readonly<Record<string, string>> {
  const area = (name: string): number => WEIGHTS.filter((row) => row.area === name).reduce((sum, { weight }) => sum + weight, 0)
  const count = RULES.reduce((sum, { rules }) => sum + rules.length, 0)
  return {
    weights: [
      `TLS counts ${String(area('tls'))}, e-mail and DNS ${String(area('email'))}, headers ${String(area('headers'))}. ${grades()}`,
      '',
      '| check | weight | passes |',
      '|---|---|---|',
      ...WEIGHTS.map(
        (row) =>
          `| ${row.id} | ${String(row.weight)} | ${row.passes}${'atMost' in row ? `; else the score is at most ${String(row.atMost)}` : ''} |`,
      ),
    ].join('\n'),
    technologies: [
      `${String(count)} rules:`,
      '',
      '| category | products |',
      '|---|---|',
      ...RULES.map(({ category, rules }) => `| ${category} | ${rules.map(({ name }) => name).join(', ')} |`),
    ].join('\n'),
  }
}

function grades(): string {
  return `${GRADES.map(([grade, least]) => `${grade} from ${String(least)}`).join(', ')}, F below.`
}

/** A text with the current tables between their marks. */
export function withTables(text: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((whole, [name, table]) => {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
    const [before, rest = ''] = whole.split(begin)
    const after = rest.split(end)[1]
    if (after === undefined) throw new Error(`README.md has no place for the table ${name}`)
    return `${before ?? ''}${begin}\n\n${table}\n\n${end}${after}`
  }, text)
}
