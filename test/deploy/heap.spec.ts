import { expect } from 'chai'
import { textOf } from './files.js'

describe('how the gateway is started', () => {
  const start = /"start": "node (.*) scripts/.exec(textOf('package.json'))?.[1] ?? ''

  it('has the same bounds on its heap by npm start, in the image and as a unit', () => {
    expect(start).to.match(/^--max-semi-space-size=\d+ --max-old-space-size=\d+ --no-allocation-site-pretenuring$/)
    expect(textOf('deploy/capstan.service')).to.contain(`node ${start} /opt/capstan`)
    expect(textOf('Dockerfile')).to.contain(
      `"node", ${start
        .split(' ')
        .map((flag) => `"${flag}"`)
        .join(', ')}, "/app`,
    )
  })
})
