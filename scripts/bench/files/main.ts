import { parseArgs } from 'node:util'
import { benchCode } from './code.js'
import { tableHead, type Say } from './figure.js'
import { withGateway } from './gateway.js'
import { benchKilled } from './killed.js'
import { benchOffice } from './office.js'
import { benchPicture } from './picture.js'
import { benchReading } from './reading.js'
import { benchSdk } from './sdk.js'
import { benchThrough } from './through.js'
import { benchUpload } from './upload.js'
import { benchVideo } from './video.js'

const HELP = `npm run bench:files -- [--only NAME] [--list]

Measures files on their way through a gateway of this build, in a process of its own with its ledger on disk, and what capabilities share:
each part at a new gateway. Times are medians of 20 runs after 3 that are not counted. --only NAME runs the parts whose name contains it,
--list names them.
`

/** One part: what it needs is made and removed around it. */
type Part = (say: Say) => Promise<void>

const PARTS: Readonly<Record<string, Part>> = {
  upload: benchUpload,
  through: (say) => withGateway((gateway) => benchThrough(gateway, say)),
  sdk: (say) => withGateway((gateway) => benchSdk(gateway, say)),
  reading: benchReading,
  code: (say) => withGateway((gateway) => benchCode(gateway, say)),
  office: benchOffice,
  picture: benchPicture,
  video: benchVideo,
  killed: (say) => withGateway((gateway) => benchKilled(gateway, say)),
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
  for (const [, part] of wanted) await part(say)
}
