/** What is still open when a command is done (a plugin's timer, a pipe that nobody reads) keeps the process no longer than this, in milliseconds. */
const LINGER_MS = 1_000

// Before the rest is loaded, which takes longest: a service manager may ask for a reload right after the start, and the signal's default is to
// end the process. Nothing has been read yet, so there is nothing to read again.
if (process.argv.includes('serve')) process.on('SIGHUP', () => undefined)
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
await import('reflect-metadata')
const [{ packageRoot }, { processIo }, { realParts }, { runCli }] = await Promise.all([
  import('../root.js'),
  import('./io.js'),
  import('./parts.js'),
  import('./program.js'),
])
process.exitCode = await runCli(process.argv.slice(2), { io: processIo(), parts: realParts, root: packageRoot() })
setTimeout(() => process.exit(), LINGER_MS).unref()
