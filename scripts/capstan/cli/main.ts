/** Open handles (a plugin's timer, an unread pipe) keep the process at most this long after a command, in milliseconds. */
const LINGER_MS = 1_000
/** These write source code and `plugins.lock`, which the gateway's user must be able to read even if another user wrote them. */
const SOURCE_COMMANDS = ['plugin new', 'plugin lock', 'provider new']

// Before anything is loaded: the database, its log and its backups contain the secret of signed links, hashes of tokens and kept answers.
if (!SOURCE_COMMANDS.includes(process.argv.slice(2, 4).join(' '))) process.umask(0o077)

// Before the rest is loaded, which takes longest: a service manager may request a reload right after the start, and by default the signal
// ends the process. Nothing has been read yet, so there is nothing to reload.
if (process.argv.includes('serve')) process.on('SIGHUP', () => undefined)
// A reader that has seen enough, such as head, is no failure; a gateway outlives the reader of its log.
for (const stream of process.argv.includes('serve') ? [process.stdout] : [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
await import('reflect-metadata')
const [{ packageRoot }, { LateErrors }, { limitHeapGrowth, letThreadsHaveOwnLimits }, { processIo }, { realParts }, { runCli }] =
  await Promise.all([
    import('../../../core/runtime/root.js'),
    import('./late-errors.js'),
    import('../../../core/runtime/threads.js'),
    import('./io.js'),
    import('./parts.js'),
    import('./program.js'),
  ])
letThreadsHaveOwnLimits()
limitHeapGrowth()
const io = processIo()
const late = process.argv.includes('serve') ? null : new LateErrors((text) => io.err(text))
process.exitCode = await runCli(process.argv.slice(2), { io, parts: realParts, root: packageRoot() })
process.on('exit', (code) => {
  if (code === 0 && late?.seen === true) process.exitCode = 1
})
setTimeout(() => process.exit(), LINGER_MS).unref()
