import { Fault, or, Type, vendor } from '../../core/sdk/index.js'

/** An error entry is recognised by its id; the text of a paper cannot contain an element. */
const ERROR_ENTRY = /<id>[ \n]{0,8}https?:\/\/arxiv\.org\/api\/errors/

/** arXiv's search, without a key. Its terms allow one request in three seconds and one at a time, over all machines of an operator. */
export const arxiv = vendor({
  id: 'arxiv',
  title: 'arXiv (keyless)',
  home: 'https://info.arxiv.org/help/api/user-manual.html',
  baseUrl: 'https://export.arxiv.org',
  pace: { requests: 1, perMs: 3_000, concurrent: 1 },
  settings: Type.Object({
    contact: or(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '^[ -~]+$',
        description: 'Address or page by which arXiv can reach you; sent in the user agent.',
      }),
      'self-hosted gateway',
    ),
  }),
  // Older versions sent errors with status 200.
  fault: ({ status, body }) => {
    if (status === 404) return new Fault('broken', 'arXiv has nothing at the address of its search.')
    const refused = (status === 200 || status === 400) && typeof body === 'string' && ERROR_ENTRY.test(body)
    return refused ? new Fault('invalid', 'arXiv does not accept this search.') : undefined
  },
})
