import 'reflect-metadata'
import { packageRoot } from '../root.js'
import { processIo } from './io.js'
import { realParts } from './parts.js'
import { runCli } from './program.js'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
process.exitCode = await runCli(process.argv.slice(2), { io: processIo(), parts: realParts, root: packageRoot() })
