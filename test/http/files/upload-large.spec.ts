import { expect } from 'chai'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../../core/runtime/clock.js'
import { startGateway } from '../../support/gateway.js'
import { ACCOUNT, S3Server } from '../../support/s3.js'
import { Served } from '../../support/served.js'
import { END, form, part, partHead, storedFiles, Upload, upload, uploadedFile } from '../../support/upload.js'

const MIB = 1024 * 1024

describe('a large upload', function () {
  this.timeout(120_000)

  it('of 300 MiB goes through without its bytes gathering in memory', async () => {
    const served = new Served({ env: { CAPSTAN_ARTIFACTS_QUOTA: '1GiB' } })
    const { url, pid } = await served.line('ready')
    const { key } = await served.account(10)
    // The first brings modules, threads and buffers that later ones find.
    uploadedFile(await upload({ url, key }, form(part(Buffer.alloc(20 * MIB)))))
    const memory = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1]) / 1024
    const before = memory('VmHWM')
    const sent = new Upload({ url, key })
    await sent.write(partHead())
    for (let mib = 0; mib < 300; mib++) await sent.write(Buffer.alloc(MIB, mib))
    sent.end(`\r\n${END}`)
    expect(uploadedFile(await sent.reply).file_size).to.equal(300 * MIB)
    expect(memory('VmHWM') - before, 'MiB').to.be.below(100)
    const [largest] = storedFiles(served.data)
      .map((name) => statSync(join(served.data, 'artifacts', name.slice(0, 2), name)).size)
      .sort((one, other) => other - one)
    expect(largest).to.equal(300 * MIB)
    await served.end()
  })

  it('goes into an object store as well, whole or not at all', async () => {
    const server = await new S3Server(systemClock).start()
    const gateway = await startGateway({
      env: {
        CAPSTAN_ARTIFACTS: server.setting(''),
        CAPSTAN_S3_ACCESS_KEY_ID: ACCOUNT.accessKeyId,
        CAPSTAN_S3_SECRET_ACCESS_KEY: ACCOUNT.secretAccessKey,
      },
    })
    for (const size of [10, 500_000, 3 * MIB]) {
      const bytes = Buffer.alloc(size, 'a table, of sorts\r\n')
      const { file_url, file_size } = uploadedFile(await upload(gateway, form(part(bytes))))
      expect(file_size).to.equal(size)
      expect(Buffer.compare(Buffer.from(await (await fetch(file_url)).arrayBuffer()), bytes)).to.equal(0)
    }
    const used = await gateway.app.services.store.artifacts.used('default')
    expect((await upload(gateway, Buffer.concat([part(Buffer.alloc(2 * MIB)), part('second')]))).status).to.equal(422)
    expect(await gateway.app.services.store.artifacts.used('default')).to.equal(used)
    await gateway.close()
    await server.close()
  })
})
