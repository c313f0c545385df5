import sharp from 'sharp'

/**
 * For a spec that imports a parser of pictures into the process of the tests: such a module forbids libvips every other format for good,
 * since its own process reads one file. Afterwards the specs that follow in this process read all formats again.
 */
export function restoresLoaders(): void {
  after(() => sharp.unblock({ operation: ['VipsForeignLoad'] }))
}
