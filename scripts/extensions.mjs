/**
 * Renews the list of extensions of plugins/domains from IANA's list: `node scripts/extensions.mjs FILE`, where FILE is
 * https://data.iana.org/TLD/tlds-alpha-by-domain.txt, saved. Themes and popularity are in the same file and are written by hand.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const WIDTH = 136
const TARGET = new URL('../plugins/domains/catalogue/iana-list.ts', import.meta.url)
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/** IANA's list never was shorter since 2015; a cut one must not replace a whole one. */
const LEAST = 1_200

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: node scripts/extensions.mjs FILE')
const text = readFileSync(file, 'utf8')
const version = /^# Version (\d{10})\b/.exec(text)?.[1] ?? null
const names = text
  .split(/\r?\n/)
  .map((line) => line.trim().toLowerCase())
  .filter((line) => line !== '' && !line.startsWith('#'))
const odd = names.filter((name) => !LABEL.test(name))
if (odd.length > 0) throw new Error(`not in IANA's form: ${odd.slice(0, 5).join(', ')}`)
if (names.length < LEAST) throw new Error(`only ${names.length} names, expected at least ${LEAST}`)

const lines = ['']
for (const name of [...new Set(names)].sort()) {
  const last = lines.at(-1)
  if (last !== '' && last.length + name.length + 1 > WIDTH) lines.push(name)
  else lines[lines.length - 1] = last === '' ? name : `${last} ${name}`
}
writeFileSync(
  TARGET,
  `/** Made by scripts/extensions.mjs from IANA's list of top-level domains${version === null ? '' : `, version ${version}`}. */
export const IANA_LIST = \`
${lines.join('\n')}
\`
`,
)
console.log(`${names.length} extensions${version === null ? '' : ` of version ${version}`}`)
