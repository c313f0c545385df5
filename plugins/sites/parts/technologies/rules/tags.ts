import type { RuleGroup } from '../rule.js'

export const tags: RuleGroup = {
  category: 'tag manager',
  rules: [
    {
      name: 'Google Tag Manager',
      docs: 'Google Tag Manager Help: Install a web container',
      urls: ['googletagmanager.com/gtm.js', 'googletagmanager.com/ns.html'],
      scriptUrls: ['googletagmanager.com/gtm.js'],
      globals: ["'gtm.start'"],
    },
    {
      name: 'Adobe Experience Platform Launch',
      docs: 'Adobe Experience Platform Tags Documentation: Embed codes',
      urls: ['assets.adobedtm.com/'],
      globals: ['_satellite.pagebottom('],
    },
    {
      name: 'Tealium iQ',
      docs: 'Tealium Documentation: Universal tag (utag.js)',
      urls: ['tags.tiqcdn.com/utag/'],
      scriptUrls: ['tags.tiqcdn.com/utag/'],
      globals: ['utag_data'],
    },
    { name: 'Ensighten', docs: 'Ensighten Documentation: Bootstrap', urls: ['nexus.ensighten.com/'] },
    {
      name: 'Commanders Act',
      docs: 'Commanders Act Documentation: Container installation',
      urls: ['cdn.tagcommander.com/', 'cdn.trustcommander.net/'],
      globals: ['tc_vars'],
    },
    {
      name: 'Matomo Tag Manager',
      docs: 'Matomo Documentation: Embedding the tag manager container',
      urls: ['/js/container_'],
      globals: ['_mtm.push(', "'mtm.starttime'"],
    },
  ],
}
