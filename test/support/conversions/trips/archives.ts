import { ARCHIVES } from '../../../../plugins/convert/engines/archive/formats.js'
import { ARCHIVED, READ_ONLY_ARCHIVES, tar } from '../archives.js'
import { archived } from '../checks.js'
import type { Trip } from './types.js'

const engine = 'libarchive'

/** Each kind is made of a tar archive, or has a sample of its own, and is made into tar again; the file in it is the same. */
export function archives(): Trip[] {
  const { name, content } = ARCHIVED
  const check = archived(name, content)
  const tree = tar([
    { name, data: content },
    { name: 'folder/', type: '5' },
    { name: 'folder/Grüße.txt', data: 'more' },
  ])
  return Object.entries(ARCHIVES).map(([id, { write, tree: deep }]) => {
    const own = READ_ONLY_ARCHIVES[id]
    const to = id === 'tar' ? 'zip' : 'tar'
    if (own !== undefined) return { engine, data: own, steps: [{ from: id, to, check }] }
    if (write === null) throw new Error(`there is no sample of ${id}`)
    const data = deep ? tree : tar([{ name, data: content }])
    if (id === 'tar')
      return {
        engine,
        data,
        steps: [
          { from: 'tar', to, check },
          { from: to, to: 'tar', check },
        ],
      }
    return {
      engine,
      data,
      steps: [
        { from: 'tar', to: id, check },
        { from: id, to, check },
      ],
    }
  })
}
