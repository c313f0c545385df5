import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../../core/runtime/root.js'
import { furnish } from '../../gateway/furnish.js'
import { startGateway } from '../../gateway/start.js'
import { startUpstream } from './upstream.js'

/** The gateway that is measured. */
export interface BenchGateway {
  readonly url: string
  readonly pid: number
  readonly data: string
  /** Its folder for temporary files. */
  readonly temporary: string
  readonly key: string
}

/** Starts a gateway with the capabilities of the bench and its upstream, and ends both after the work. */
export async function withGateway(work: (gateway: BenchGateway) => Promise<void>): Promise<void> {
  const upstream = await startUpstream()
  const temporary = mkdtempSync(join(tmpdir(), 'bench-'))
  // Programs run as users of their own, who must be able to enter it.
  chmodSync(temporary, 0o711)
  const plugins = ['gateway', 'bench/files'].map((folder) => join(packageRoot(), 'scripts', folder, 'plugin'))
  const vendors = ['SLOW1', 'SLOW2', 'SLOW3', 'SLOW4', 'SLOW5', 'JOBS'].map((id) => [`CAPSTAN_VENDOR_${id}_URL`, upstream.url])
  const env = {
    ...(Object.fromEntries(vendors) as Record<string, string>),
    CAPSTAN_PLUGINS: plugins.join(':'),
    CAPSTAN_ARTIFACTS_QUOTA: String(8 * 1024 ** 3),
    TMPDIR: temporary,
  }
  try {
    const gateway = await startGateway({ upstream: upstream.url, env })
    try {
      const [key = ''] = await furnish(gateway, 1)
      await work({ url: gateway.url, pid: gateway.pid, data: gateway.data, temporary, key })
    } finally {
      await gateway.stop()
    }
  } finally {
    await upstream.close()
    rmSync(temporary, { recursive: true, force: true })
  }
}
