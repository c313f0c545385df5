import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { featuresOf } from '../../scripts/bench/sounds/features.js'
import { lacks, prompts, type Prompt } from '../../scripts/bench/sounds/prompts.js'

const RATE = 44_100
const made = (seconds: number, sample: (time: number) => number): Float32Array =>
  Float32Array.from({ length: Math.round(seconds * RATE) }, (_, at) => sample(at / RATE))
const sine = (hertz: number) => (time: number) => Math.sin(2 * Math.PI * hertz * time)
const prompt = (more: Partial<Prompt>): Prompt => ({ kind: 'synth', prompt: 'x', features: {}, ...more })

describe('features of a sound', () => {
  it('are of a tone: one frequency, no width, no swing', () => {
    const found = featuresOf(made(2, sine(440)), RATE)
    expect(found.peak).to.be.closeTo(440, 1)
    expect(found.centroid).to.be.closeTo(440, 10)
    expect(found.flatness).to.be.below(0.001)
    expect(found.swing).to.be.below(0.5)
    expect(found.share(400, 480)).to.be.above(0.99)
    expect(found.count).to.equal(1)
  })

  it('are of noise: the middle of the band, flat', () => {
    const found = featuresOf(
      made(2, () => Math.random() - 0.5),
      RATE,
    )
    expect(found.centroid).to.be.closeTo(11_025, 300)
    expect(found.flatness).to.be.above(0.8)
    expect(found.slope).to.be.closeTo(0, 0.3)
  })

  it('are of pulses: how many, how often, how sharp', () => {
    const found = featuresOf(
      made(4, (time) => (time % 0.5 < 0.05 && time > 0.1 ? sine(1_000)(time) : 0)),
      RATE,
    )
    expect(found.count).to.equal(7)
    expect(found.beat).to.be.closeTo(2, 0.05)
    expect(found.crest).to.be.above(40)
  })

  it('are of what dies away and what wanders', () => {
    expect(
      featuresOf(
        made(2, (time) => Math.exp(-3 * time) * sine(500)(time)),
        RATE,
      ).fades,
    ).to.be.above(20)
    expect(
      featuresOf(
        made(2, (time) => sine(time < 1 ? 400 : 1_200)(time)),
        RATE,
      ),
    ).to.include.keys('wander')
    const moved = featuresOf(
      made(2, (time) => sine(time < 1 ? 400 : 1_200)(time)),
      RATE,
    )
    expect(moved.wander).to.be.closeTo(3, 0.1)
    expect(moved.last).to.be.above(2 * moved.first)
  })
})

describe('a prompt of the bench', () => {
  const low = featuresOf(made(1, sine(200)), RATE)
  const high = featuresOf(made(1, sine(2_000)), RATE)

  it('names what its sound lacks', () => {
    const wanted = prompt({
      features: { centroid: [100, 300], share: [{ from: 100, to: 300, least: 0.9 }], ends: { first: [100, 300], last: [100, 300] } },
    })
    expect(lacks(wanted, low, null)).to.deep.equal([])
    expect(lacks(wanted, high, null)).to.have.length(4)
  })

  it('is held to another sound', () => {
    const wanted = prompt({ than: 'y', compared: { centroid: 'lower' } })
    expect([lacks(wanted, low, high), lacks(wanted, high, low).length, lacks(wanted, low, null).length]).to.deep.equal([[], 1, 1])
  })

  it('is one of sixty, each with something that a wrong sound lacks', () => {
    expect(prompts()).to.have.length(60)
    for (const each of prompts()) expect(Object.keys({ ...each.features, ...each.compared }), each.prompt).not.to.deep.equal([])
  })

  it('is in the help of the bench, which refuses unknown names', () => {
    const run = (...args: string[]) =>
      spawnSync('node', [join(packageRoot(), 'dist/scripts/bench/sounds/main.js'), ...args], { encoding: 'utf8' })
    expect(run('--help')).to.include({ status: 0 })
    expect(run('--help').stdout).to.contain('npm run bench:sounds')
    expect(run('--only', 'nothing')).to.include({ status: 2 })
  })
})
