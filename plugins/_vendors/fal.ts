import { Fault, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** fal.ai by its queue. An exhausted balance may be 403; 504 is a model that did not start in time. */
export const fal = vendor({
  id: 'fal',
  title: 'fal.ai',
  home: 'https://fal.ai/docs/model-endpoints/queue',
  baseUrl: 'https://queue.fal.run',
  secrets: { key: 'FAL_KEY' },
  auth: (secret) => ({ headers: { authorization: `Key ${secret('key')}` } }),
  fault: ({ status, body }) => {
    const detail = textAt(body, 'detail').slice(0, 500).toLowerCase()
    if (status >= 400 && detail.includes('still in progress')) return new Fault('busy', 'fal has not finished the job.')
    if (status === 403 && detail.includes('balance')) return new Fault('quota', 'The balance of the fal account is used up.')
    if (status === 404) return new Fault('broken', 'fal has no such model or job: check the models in the settings.')
    return status === 504 ? new Fault('busy', 'fal did not start the model in time.') : undefined
  },
})
