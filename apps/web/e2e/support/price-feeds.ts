/** Where tests have feeds of prices: whatever a test asks for, nobody beyond this machine is asked. */
export const priceFeedPort = 3193;
const feeds = ["aws", "azure", "gcp", "oracle", "hetzner"];
export const priceMirrors = feeds.map((feed) => `${feed}=http://127.0.0.1:${priceFeedPort}/${feed}`).join(",");
