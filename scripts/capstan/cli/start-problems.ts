import { createServer } from 'node:http'
import type { Config, Settings } from '../../../core/config/types.js'
import type { ConfigProblem } from '../../../core/problems/errors.js'
import { isFile } from '../../../core/runtime/file-faults.js'
import { missingCredentials } from '../../../core/files/open.js'
import { listenError, type PortRole } from '../../../core/http/listen-error.js'

/** Problems of valid settings that prevent a start here, such as a file as data folder or missing credentials. */
export async function startProblems(config: Config): Promise<ConfigProblem[]> {
  const { artifacts, s3 } = config.settings
  const missing = missingCredentials(artifacts, { accessKeyId: s3.access_key_id, secretAccessKey: s3.secret_access_key })
  const hosts = (await hostProblems(config.settings)).map((problem) => ({ ...problem, where: config.place(problem.where) }))
  const { data } = config.settings
  const file = isFile(data) ? [{ where: config.place('data'), message: `${data} is a file, not a folder`, level: 'error' } as const] : []
  return [...file, ...hosts, ...(missing === null ? [] : [{ where: config.place('artifacts'), message: missing, level: 'error' } as const])]
}

/** Configured hosts on which this machine cannot listen, each tested with a free port. */
async function hostProblems(settings: Settings): Promise<readonly ConfigProblem[]> {
  const { host, admin_host } = settings.server
  const admin = admin_host === host ? [] : await problemsOf(settings, 'admin', admin_host)
  return [...(await problemsOf(settings, 'main', host)), ...admin]
}

async function problemsOf(settings: Settings, role: PortRole, host: string): Promise<readonly ConfigProblem[]> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, host, resolve)
    })
    return []
  } catch (error) {
    const refused = listenError(error, role, settings)
    if (refused === null) throw error
    return refused.problems
  } finally {
    server.close()
  }
}
