import { expect } from 'chai'
import { answerFree } from '../../core/dispatch/read-list.js'
import { findProgram } from '../../core/exec/programs.js'
import { startGateway, type TestGateway } from '../../test/support/gateway.js'
import { needs } from '../../test/support/exec-sandbox.js'
import { skip } from '../../test/support/needs.js'
import { likeness } from './contract.js'

/** Equivalent sentences in different words and in five languages; each must be found among all others. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['How old are you?', 'What is your age?'],
  ['The train to the coast is late again.', 'El tren a la costa vuelve a llegar tarde.'],
  ['Der Hund schläft unter dem Tisch.', 'A dog is sleeping below the table.'],
  ['Il prezzo del pane è aumentato.', 'Bread has become more expensive.'],
  ['Le médecin lui a conseillé de marcher davantage.', 'His doctor told him to walk more.'],
  ['Install the program with the package manager.', 'Use the package manager to set up the software.'],
]

describe('sentences: vectors by meaning', function () {
  this.timeout(60_000)
  let gateway: TestGateway

  before(async function () {
    if (findProgram('sentences', undefined) === undefined)
      skip(this, 'the engine pack sentences is not installed: npm run tools -- sentences')
    needs(this, 'bwrap', 'python3')
    gateway = await startGateway({ bundled: true })
  })
  after(() => gateway?.close())

  async function embedded(texts: readonly string[]): Promise<Float32Array[]> {
    const { environment, end } = gateway.app.services.environments.begin()
    const caller = () => ({ account: 'one', key: 'one' })
    const who = { requestId: 'one', account: 'one', key: 'one', caller, unpaid: gateway.app.services.unpaid }
    try {
      const answer = (await answerFree(environment, { ...who, portId: 'sentences.embed', given: { texts } })) as { vectors: Float32Array[] }
      return answer.vectors
    } finally {
      end()
    }
  }

  it('6 of 6 paraphrases are nearest to each other, also from one language to another', async () => {
    const vectors = await embedded(PAIRS.flat())
    expect(vectors).to.have.length(12)
    vectors.forEach((vector, at) => {
      expect(vector).to.have.length(512)
      expect(likeness(vector, vector)).to.be.closeTo(1, 1e-4)
      const others = vectors.map((other, place) => (place === at ? -1 : likeness(vector, other)))
      expect(others.indexOf(Math.max(...others)), PAIRS.flat()[at]).to.equal(at % 2 === 0 ? at + 1 : at - 1)
    })
  })

  it('a sentence has the same vector alone and among others of other lengths', async () => {
    const long = 'and the next sentence is a good deal longer than the first one '.repeat(20)
    const [alone] = await embedded(['A short one.'])
    const [, among] = await embedded([long, 'A short one.', long, 'Tiny'])
    expect(likeness(alone ?? new Float32Array(), among ?? new Float32Array())).to.be.above(0.9999)
  })

  it('texts without words, of one kind of sign, very long and broken ones have vectors too', async () => {
    const vectors = await embedded(['', '   ', '🙂', '\ud800 half', '\u0000', 'x'.repeat(100_000), 'ä̈'.repeat(900), '漢'.repeat(2_000)])
    for (const vector of vectors) expect(likeness(vector, vector)).to.be.closeTo(1, 1e-4)
  })
})
