/** The used part of Modal's JavaScript package (0.9). */
interface ModalSdk {
  readonly ModalClient: new (options: { tokenId: string; tokenSecret: string; environment?: string }) => ModalClient
}
interface ModalClient {
  readonly apps: { fromName(name: string, options: { createIfMissing: boolean }): Promise<unknown> }
  readonly images: { fromRegistry(tag: string): ModalImage }
  readonly sandboxes: { create(app: unknown, image: ModalImage, options: Readonly<Record<string, unknown>>): Promise<ModalSandbox> }
}
interface ModalImage {
  dockerfileCommands(commands: readonly string[]): ModalImage
}
interface ModalSandbox {
  readonly filesystem: {
    writeBytes(data: Uint8Array, path: string): Promise<unknown>
    readBytes(path: string): Promise<Uint8Array>
    makeDirectory(path: string): Promise<unknown>
  }
  exec(
    command: readonly string[],
    options: Readonly<Record<string, unknown>>,
  ): Promise<{
    readonly stdout: { readText(): Promise<string> }
    readonly stderr: { readText(): Promise<string> }
    wait(): Promise<number>
  }>
  terminate(): Promise<unknown>
}

/** The job, read from standard input. */
export interface ModalJob {
  readonly tokenId: string
  readonly tokenSecret: string
  readonly environment: string | null
  readonly app: string
  readonly image: string
  /** Dockerfile lines that add the packages, or none. */
  readonly layers: readonly string[]
  readonly script: string
  readonly seconds: number
  readonly files: readonly { readonly name: string; readonly base64: string }[]
  readonly maxFiles: number
  readonly maxBytes: number
}

/** The result, written to standard output. */
export interface ModalEnd {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly bootMs: number
  readonly runMs: number
  readonly files: readonly { readonly name: string; readonly base64: string }[]
  readonly filesLeft: number
}

/** One run in a Modal sandbox. The text of this function runs in another process: it must not use anything from outside itself. */
async function modalRun(sdk: ModalSdk, job: ModalJob): Promise<ModalEnd> {
  const folder = '/capstan'
  const mark = '/tmp/capstan-begin'
  const { tokenId, tokenSecret, environment } = job
  const client = new sdk.ModalClient({ tokenId, tokenSecret, ...(environment === null ? {} : { environment }) })
  const begin = performance.now()
  const app = await client.apps.fromName(job.app, { createIfMissing: true })
  const base = client.images.fromRegistry(job.image)
  const image = job.layers.length === 0 ? base : base.dockerfileCommands(job.layers)
  const sandbox = await client.sandboxes.create(app, image, {
    timeoutMs: (job.seconds + 120) * 1000,
    blockNetwork: true,
    memoryMiB: 512,
    memoryLimitMiB: 512,
  })
  try {
    const bootMs = performance.now() - begin
    await sandbox.filesystem.makeDirectory(folder)
    for (const { name, base64 } of job.files) await sandbox.filesystem.writeBytes(Buffer.from(base64, 'base64'), `${folder}/${name}`)
    const run = async (script: string): Promise<{ code: number; stdout: string; stderr: string }> => {
      const process = await sandbox.exec(['bash', '-c', script], { workdir: folder, stdout: 'pipe', stderr: 'pipe' })
      const [stdout, stderr, code] = await Promise.all([process.stdout.readText(), process.stderr.readText(), process.wait()])
      return { code, stdout, stderr }
    }
    await run(`touch ${mark}; sleep 0.05`)
    const started = performance.now()
    const { code, stdout, stderr } = await run(job.script)
    const runMs = performance.now() - started
    const { stdout: found } = await run(`find . -maxdepth 1 -type f -newer ${mark} ! -name '.*' -printf '%s %f\\n'`)
    const made = found.split('\n').flatMap((line) => {
      const [, size, name] = /^(\d+) (.+)$/.exec(line) ?? []
      return size === undefined || name === undefined ? [] : [{ name, size: Number(size) }]
    })
    const files: { name: string; base64: string }[] = []
    let left = job.maxBytes
    for (const { name, size } of made.slice(0, job.maxFiles)) {
      if (size > left) continue
      left -= size
      files.push({ name, base64: Buffer.from(await sandbox.filesystem.readBytes(`${folder}/${name}`)).toString('base64') })
    }
    return { code, stdout, stderr, bootMs, runMs, files, filesLeft: made.length - files.length }
  } finally {
    await sandbox.terminate()
  }
}

/** A module that reads a job from standard input, runs it and writes its result, or the name and the message of the error. */
export const MODAL_PROGRAM = `
const chunks = []
for await (const chunk of process.stdin) chunks.push(chunk)
const { sdk, job } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
const { pathToFileURL } = await import('node:url')
let answer
try {
  answer = { end: await (${modalRun.toString()})(await import(pathToFileURL(sdk).href), job) }
} catch (error) {
  answer = { error: { name: String(error?.name), message: String(error?.message).slice(0, 500), code: error?.code } }
}
process.stdout.write(JSON.stringify(answer), () => process.exit(0))
`
