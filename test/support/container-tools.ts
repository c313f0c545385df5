import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What both fake tools do with bubblewrap; before it ends, each records the contents of its working folder. */
const RUN = `
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
const run = (flags, words) => {
  const { status } = spawnSync('bwrap', ['--unshare-all', '--die-with-parent', ...flags, '--chdir', '/job', '--', ...words], { stdio: 'inherit' })
  writeFileSync(LEFT, JSON.stringify(readdirSync('.')))
  process.exit(status ?? 137)
}
`

const DOCKER = `
const args = process.argv.slice(2)
if (args[0] !== 'run') process.exit(0)
const after = (flag) => args.flatMap((word, index) => (word === flag ? [args[index + 1]] : []))
const tmpfs = after('--tmpfs').flatMap((text) => {
  const [at, options] = text.split(':')
  return ['--size', String(/size=(\\d+)m/.exec(options)[1] * 1048576), '--tmpfs', at]
})
const volumes = after('--volume').flatMap((text) => ['--bind', ...text.split(':')])
const words = args.slice(args.indexOf(IMAGE) + 1)
const links = ['bin', 'lib', 'lib64'].filter((name) => existsSync('/usr/' + name)).flatMap((name) => ['--symlink', 'usr/' + name, '/' + name])
run(['--ro-bind', '/usr', '/usr', ...links, '--ro-bind', '/etc', '/etc', '--dev', '/dev', '--proc', '/proc', ...tmpfs, ...volumes], words)
`

const RUNSC = `
const platform = process.argv.find((word) => word.startsWith('--platform=')).slice(11)
appendFileSync(RUNS, platform + '\\n')
if (existsSync(REFUSED) && readFileSync(REFUSED, 'utf8').includes(platform)) {
  console.error('cannot create sandbox on ' + platform)
  process.exit(128)
}
const { mounts, process: { args, env } } = JSON.parse(readFileSync('config.json', 'utf8'))
const flags = mounts.flatMap(({ destination, type, source, options = [] }) => {
  if (type === 'proc') return ['--proc', destination]
  if (type === 'bind') return [options.includes('ro') ? '--ro-bind' : '--bind', source, destination]
  const [, size] = /size=(\\d+)/.exec(options.join())
  return ['--size', size, '--tmpfs', destination]
})
run([...flags, '--dev', '/dev', '--clearenv', ...env.flatMap((text) => ['--setenv', ...text.split('=')])], args)
`

/**
 * A stand-in for `docker run` of one image or for `runsc run`: makes the mounts of its arguments, by bubblewrap. Returns its path. `runsc` writes the platform of each
 * run into the folder's file `runs`, a line each, and refuses those that the file `refused` names.
 */
export function containerTool(folder: string, name: 'docker' | 'runsc', image = ''): string {
  const path = join(folder, name)
  const module = join(folder, `${name}.mjs`)
  const file = (of: string): string => JSON.stringify(join(folder, of))
  const constants = `const LEFT = ${file('left.json')}\nconst RUNS = ${file('runs')}\nconst REFUSED = ${file('refused')}\nconst IMAGE = ${JSON.stringify(image)}\n`
  writeFileSync(module, RUN + constants + (name === 'docker' ? DOCKER : RUNSC))
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${module}' "$@"\n`)
  chmodSync(path, 0o755)
  return path
}
