import type { RuleGroup } from '../rule.js'

export const search: RuleGroup = {
  category: 'site search',
  rules: [
    {
      name: 'Algolia',
      docs: 'Algolia Documentation: JavaScript API client, InstantSearch',
      urls: [
        '.algolia.net',
        '.algolianet.com',
        '/algoliasearch@{version}',
        '/algoliasearch-lite',
        '/instantsearch.js@{version}',
        '/docsearch.js@{version}',
        '/@docsearch/js',
      ],
      globals: ['algoliasearch(', 'docsearch('],
      html: ['class="ais-', 'class="docsearch'],
    },
    {
      name: 'Coveo',
      docs: 'Coveo Documentation: Atomic, JavaScript Search Framework',
      urls: ['static.cloud.coveo.com/'],
      html: ['<atomic-search-interface', 'class="coveosearchinterface'],
    },
    {
      name: 'Typesense',
      docs: 'Typesense Documentation: Search UI components',
      urls: ['/typesense-instantsearch-adapter', '/typesense@{version}', 'typesense-docsearch'],
    },
    {
      name: 'Meilisearch',
      docs: 'Meilisearch Documentation: Front-end integration',
      urls: ['/@meilisearch/instant-meilisearch', '/meilisearch@{version}', '/docs-searchbar.js'],
    },
    {
      name: 'Google Programmable Search',
      docs: 'Programmable Search Engine: Custom Search Element',
      urls: ['cse.google.com/cse'],
      html: ['class="gcse-search', '<gcse:search'],
    },
    { name: 'Klevu', docs: 'Klevu Developers: Quick Search', urls: ['js.klevu.com/'], globals: ['klevu_apikey', 'klevu.init'] },
    { name: 'Doofinder', docs: 'Doofinder Support: Installation script', urls: ['cdn.doofinder.com/', '.config.doofinder.com/'] },
    {
      name: 'Searchspring',
      docs: 'Searchspring Documentation: Snap integration',
      urls: ['snapui.searchspring.io/', 'cdn.searchspring.net/'],
    },
    {
      name: 'Pagefind',
      docs: 'Pagefind Documentation: Default UI',
      urls: ['/pagefind/pagefind'],
      html: ['data-pagefind-body', 'class="pagefind-ui'],
    },
    {
      name: 'Swiftype',
      docs: 'Swiftype Documentation: Site search install code',
      urls: ['s.swiftypecdn.com/'],
      scriptUrls: ['s.swiftypecdn.com'],
      globals: ['swiftypeobject'],
    },
    {
      name: 'Bloomreach',
      docs: 'Bloomreach Documentation: Pixel integration',
      urls: ['cdn.brcdn.com/', 'cdn.brsrvr.com/'],
      cookies: ['_br_uid_2'],
    },
    { name: "Luigi's Box", docs: "Luigi's Box Documentation: Integration script", urls: ['scripts.luigisbox.com/', 'cdn.luigisbox.com/'] },
  ],
}
