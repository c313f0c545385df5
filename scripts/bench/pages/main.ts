import { parseArgs } from 'node:util'
import { tableHead, type Say } from '../files/figure.js'
import { withPages, type PagesWorld } from './world.js'
import { benchScreenshot } from './screenshot.js'
import { benchStandard } from './standard.js'

const HELP = `npm run bench:pages -- [--only NAME] [--list]

Measures pages that are opened in the browser of a gateway of this build, in a process of its own, from a site on this machine: each part at a
new gateway. Times are medians of 20 calls after 3 that are not counted. --only NAME runs the parts whose name contains it, --list names them.
`

const PARTS: Readonly<Record<string, (world: PagesWorld, say: Say) => Promise<void>>> = {
  screenshot: benchScreenshot,
  standard: benchStandard,
}

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, list: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
})
const wanted = Object.entries(PARTS).filter(([name]) => name.includes(values.only))
if (values.help) process.stdout.write(HELP)
else if (values.list) process.stdout.write(`${wanted.map(([name]) => name).join('\n')}\n`)
else await run()

async function run(): Promise<void> {
  const say: Say = (line) => process.stdout.write(`${line}\n`)
  say(tableHead())
  for (const [, part] of wanted) await withPages((world) => part(world, say))
}
