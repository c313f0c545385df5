import type { Config } from '../config/types.js'
import type { ConfigProblem } from '../problems/errors.js'
import { isFile } from '../runtime/file-faults.js'
import { missingCredentials } from '../files/open.js'
import { hostProblems } from '../http/listen-error.js'

/** Problems of valid settings that prevent a start here, such as a file as data folder or missing credentials. */
export async function startProblems(config: Config): Promise<ConfigProblem[]> {
  const { artifacts, s3 } = config.settings
  const missing = missingCredentials(artifacts, { accessKeyId: s3.access_key_id, secretAccessKey: s3.secret_access_key })
  const hosts = (await hostProblems(config.settings)).map((problem) => ({ ...problem, where: config.place(problem.where) }))
  const { data } = config.settings
  const file = isFile(data) ? [{ where: config.place('data'), message: `${data} is a file, not a folder`, level: 'error' } as const] : []
  return [...file, ...hosts, ...(missing === null ? [] : [{ where: config.place('artifacts'), message: missing, level: 'error' } as const])]
}
