import { randomUUID } from 'node:crypto'
import { Fault, provider, type ExecOptions, type ExecResult, type ProviderContext, type SettingsOf } from '../../../core/sdk/index.js'
import { docker as vendor } from '../../_vendors/docker.js'
import { containerArgs } from '../container.js'
import { execute, type CodeInput } from '../contract.js'
import { imageFor } from '../image.js'
import { givenFiles } from '../input-files.js'
import { runOf, runOptions, toolFailed } from '../local.js'
import { archiveOf, INSTALL_DISK_MB, INSTALL_MS, installArgs, PACKAGES_MB, unpackArgs } from '../packages.js'
import { commandOf, DISK_MB, PACKAGES_FILE } from '../program.js'
import { answer } from '../result.js'

type Context = ProviderContext<SettingsOf<typeof vendor>>

const MIB = 1024 * 1024
/** Time for starting a container, in addition to what runs in it. */
const START_MS = 10_000
const KILLED = 137

interface Step {
  readonly command: readonly string[]
  readonly network: string
  readonly seconds: number
}

/** A container without network, privileges and a writable root for each run. The image must be present locally. */
export const docker = provider(execute, {
  vendor,
  rank: 30,
  run: async (input, context) => {
    const image = imageFor(input, 'language', context)
    const files = await givenFiles(input.input_files, context)
    const options = runOptions(input, files)
    const { program, args } = commandOf(input.language)
    const archive = input.packages.length === 0 ? null : await install(input, image, context)
    const command = archive === null ? [program, ...args] : ['sh', ...unpackArgs(program, args)]
    context.progress('running the program')
    const result = await contain(image, { command, network: 'none', seconds: input.timeout }, context, {
      ...options,
      timeoutMs: input.timeout * 1000 + START_MS,
      diskMb: archive === null ? DISK_MB : DISK_MB + 2 * PACKAGES_MB,
      files: [...(options.files ?? []), ...(archive === null ? [] : [{ name: PACKAGES_FILE, data: archive }])],
    })
    const late = result.code === KILLED && result.runMs >= input.timeout * 1000
    const run = runOf({ ...result, stopped: late ? 'time' : result.stopped }, context)
    // A kill by the image and one by the kernel look the same; a container killed within its time was killed for
    // memory.
    return await answer({ ...run, stopped: run.stopped ?? (run.code === KILLED ? 'memory' : null) }, input, context)
  },
})

async function contain(
  image: string,
  step: Step,
  context: Context,
  options: ExecOptions & { readonly diskMb: number },
): Promise<ExecResult> {
  const name = `capstan-${randomUUID()}`
  const args = containerArgs({
    image,
    name,
    ...step,
    runtime: context.settings.runtime,
    diskMb: options.diskMb,
  })
  const result = await context.exec('docker', args, { ...options, isolation: 'external' })
  // One that was killed while its files were copied reports them as left.
  if (result.stopped !== null || result.filesLeft > 0) await remove(name, context)
  if (toolFailed(result)) {
    const stderr = Buffer.from(result.stderr).toString('utf8')
    const absent = /Unable to find image|No such image/i.test(stderr)
    throw new Fault(
      absent ? 'missing' : 'broken',
      absent ? 'The container image is not on the machine.' : 'Docker could not start the container.',
      {
        internal: absent ? `docker pull ${image}` : stderr.slice(-1000),
      },
    )
  }
  return result
}

/** The docker command was ended, which does not end the container. */
async function remove(name: string, context: Context): Promise<void> {
  const { code, stderr } = await context.exec('docker', ['rm', '--force', name], { isolation: 'external', timeoutMs: START_MS })
  if (code !== 0) context.log('a container was not removed', { name, stderr: Buffer.from(stderr).toString('utf8').slice(-500) })
}

/** Installs packages in a container with network and without the caller's code. */
async function install({ packages }: CodeInput, image: string, context: Context): Promise<Uint8Array> {
  context.progress('installing packages', packages.join(', '))
  const step = {
    command: ['sh', ...installArgs(packages, context.settings.pip_index)],
    network: context.settings.pip_network,
    seconds: INSTALL_MS / 1000,
  }
  return archiveOf(
    await contain(image, step, context, {
      timeoutMs: INSTALL_MS + START_MS,
      diskMb: INSTALL_DISK_MB,
      collect: { maxFiles: 1, maxBytes: PACKAGES_MB * MIB },
    }),
  )
}
