import { Fault, vendor } from '../../core/sdk/index.js'

/** An own SearXNG instance. 403 means that its settings do not allow JSON, the default. */
export const searxng = vendor({
  id: 'searxng',
  title: 'SearXNG (own instance)',
  home: 'https://docs.searxng.org',
  needsUrl: true,
  fault: ({ status }) =>
    status === 403
      ? new Fault('credentials', 'The SearXNG instance refuses JSON: add json to search.formats in its settings.yml.')
      : undefined,
})
