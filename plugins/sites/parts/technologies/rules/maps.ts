import type { RuleGroup } from '../rule.js'

export const maps: RuleGroup = {
  category: 'maps',
  rules: [
    {
      name: 'Google Maps',
      docs: 'Google Maps Platform: Maps JavaScript API, Embed API',
      urls: ['maps.googleapis.com/maps/api/', 'google.com/maps/embed', 'maps.google.com/maps'],
    },
    {
      name: 'Mapbox',
      docs: 'Mapbox GL JS: Install',
      urls: ['api.mapbox.com/mapbox-gl-js/v{version}', 'api.mapbox.com/', 'api.tiles.mapbox.com/'],
      globals: ['mapboxgl.accesstoken'],
    },
    { name: 'MapLibre GL JS', docs: 'MapLibre GL JS Documentation: CDN', urls: ['/maplibre-gl@{version}', '/maplibre-gl.js'] },
    {
      name: 'Leaflet',
      docs: 'Leaflet: Quick start guide',
      urls: ['/leaflet@{version}', '/leaflet.js', '/leaflet.css', '/leaflet/{version}/'],
      html: ['class="leaflet-'],
    },
    {
      name: 'OpenStreetMap',
      docs: 'OpenStreetMap Wiki: Embedding, tile usage policy',
      urls: ['openstreetmap.org/export/embed.html', 'tile.openstreetmap.org/'],
    },
    { name: 'OpenLayers', docs: 'OpenLayers: Quick start', urls: ['/ol@v{version}', '/openlayers/{version}/', '/ol.css'] },
    { name: 'HERE Maps', docs: 'HERE Maps API for JavaScript: Developer guide', urls: ['js.api.here.com/v{version}'] },
    { name: 'Bing Maps', docs: 'Bing Maps V8 Web Control: Loading the map control', urls: ['bing.com/api/maps/mapcontrol'] },
  ],
}
