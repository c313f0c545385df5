import { expect } from 'chai'
import { faultyRun } from '../../scripts/bench/research/faulty-runs.js'
import { Engine } from '../../scripts/bench/research/engine.js'
import { textOf } from '../../scripts/bench/research/corpus.js'
import { QUESTIONS, UNSEEN } from '../../scripts/bench/research/questions.js'
import { scriptedReport } from '../../scripts/bench/research/scripted-reports.js'
import { VirtualClock } from '../../scripts/bench/research/virtual-clock.js'

describe('npm run bench:research, in small', function () {
  this.timeout(60_000)

  it('in thirty runs with random faults no counter is passed, none is late, and each that found something reports', async () => {
    const runs = []
    for (let seed = 1; seed <= 30; seed++) runs.push(await faultyRun(seed))
    expect(runs.flatMap(({ seed, wrong }) => wrong.map((what) => `${String(seed)}: ${what}`))).to.deep.equal([])
    expect(runs.filter(({ output }) => output !== null).length).to.be.above(10)
  })

  it('in ten reports of a model that errs, and ten without one, each marker points to a source that holds what is said', async () => {
    for (const errors of [null, 0.4])
      for (let seed = 1; seed <= 10; seed++) {
        const { wrong, kept } = await scriptedReport(seed, errors)
        expect(wrong, `seed ${String(seed)}`).to.deep.equal([])
        expect(kept, `seed ${String(seed)}`).to.be.above(0)
      }
  })

  it('a model that errs in four of ten sentences is seen to err', async () => {
    const { written, right } = await scriptedReport(1, 0.4)
    expect(right).to.be.below(written)
  })

  it('the engine finds the page with the words of the query, and answers as SearXNG', () => {
    const page = (at: number, title: string, html: string) => ({
      package: 'p',
      path: `/${String(at)}`,
      html,
      url: `http://p.test/${String(at)}`,
      ...textOf(html),
      title,
    })
    const engine = new Engine([
      page(1, 'Kettles', '<p>How a kettle boils water.</p>'),
      page(2, 'Bridges', '<p>A bridge of steel.</p><script>kettle</script>'),
    ])
    expect(engine.search('Which bridges are of steel?', 1).map(({ url }) => url)).to.deep.equal(['http://p.test/2'])
    expect(engine.search('kettle', 1)[0]?.content).to.equal('How a kettle boils water.')
    expect(engine.search('kettle', 2)).to.deep.equal([])
  })

  it('there are twenty questions of each set, and no question contains its own answer or occurs twice', () => {
    expect([QUESTIONS.length, UNSEEN.length]).to.deep.equal([20, 20])
    const all = [...QUESTIONS, ...UNSEEN]
    expect(all.filter(({ question, answers }) => answers.some((answer) => answer.test(question)))).to.deep.equal([])
    expect(new Set(all.map(({ question }) => question)).size).to.equal(40)
  })

  it('virtual time passes in the order of what waits, and a wait ends with its signal', async () => {
    const clock = new VirtualClock()
    const ended: string[] = []
    const leaving = new AbortController()
    const wait = (name: string, ms: number, signal?: AbortSignal) =>
      clock.wait(ms, signal).then(
        () => void ended.push(name),
        () => void ended.push(`${name} left`),
      )
    await clock.until(
      Promise.all([wait('late', 60_000), wait('early', 5).then(() => leaving.abort()), wait('gone', 1_000_000, leaving.signal)]).then(
        () => undefined,
      ),
    )
    expect(ended).to.deep.equal(['early', 'gone left', 'late'])
    expect(clock.now).to.equal(60_000)
  })
})
