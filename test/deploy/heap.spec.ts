import { expect } from 'chai'
import { textOf } from './files.js'

describe('how the gateway is started', () => {
  const [, environment = '', start = ''] = /"start": "(.*) node (.*) scripts/.exec(textOf('package.json')) ?? []

  it('returns freed memory to the system by npm start, in the image and as a unit', () => {
    expect(environment).to.match(/^MALLOC_ARENA_MAX=\d+ MALLOC_MMAP_THRESHOLD_=\d+ MALLOC_TRIM_THRESHOLD_=\d+$/)
    expect(textOf('deploy/capstan.service')).to.contain(`Environment=${environment}\n`)
    for (const variable of environment.split(' ')) expect(textOf('Dockerfile')).to.contain(`  ${variable} \\\n`)
  })

  it('has the same bounds on its heap by npm start, in the image and as a unit', () => {
    expect(start).to.match(/^--max-semi-space-size=\d+ --max-old-space-size=\d+ --no-allocation-site-pretenuring --v8-pool-size=1$/)
    expect(textOf('deploy/capstan.service')).to.contain(`node ${start} /opt/capstan`)
    expect(textOf('Dockerfile')).to.contain(
      `"node", ${start
        .split(' ')
        .map((flag) => `"${flag}"`)
        .join(', ')}, "/app`,
    )
  })
})
