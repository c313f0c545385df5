/** `npm run mistakes`: makes the mistakes of newcomers and prints what each is answered. `--help` says more. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, prepare } from './prepare.mjs'

const HELP = `npm run mistakes [-- TABLE...]

Makes the mistakes that test/mistakes lists, each against the program itself, and prints them with their answers as tables in Markdown.
Ends with 1 when an answer does not help: the tests name it. Builds if stale; takes about two minutes.

  commands   with every command of capstan
  settings   with every setting, in the file and as a variable, and with the groups of the file
  routes     with every route and capability over HTTP

Without a name all are printed.

Example: npm run mistakes -- settings > settings.md
`

if (process.argv.slice(2).some((word) => ['--help', '-h'].includes(word))) process.stdout.write(HELP)
else {
  const built = await prepare().catch(fail)
  await import(pathToFileURL(join(built, 'scripts', 'mistakes.js')).href)
}
