import { expect, it } from "vitest";
import { hideAddresses } from "./hide-addresses.ts";

it.each([
  ["192.0.2.1 moved from a to b.", "[address] moved from a to b."],
  ["Offers 192.0.2.1/32 and 2001:db8::1/128.", "Offers [address] and [address]."],
  ["dial tcp 10.0.5.5:6379: connection refused", "dial tcp [address]:6379: connection refused"],
  ["dial tcp [fd00::5]:6379: i/o timeout", "dial tcp [[address]]:6379: i/o timeout"],
  ["at address:fd00::5", "at address[address]"],
  ["::ffff:10.0.5.5", "[address]"],
  ["Serving at lb-7.eu-central-1.elb.amazonaws.com.", "Serving at [address]."],
  ["FD00::5", "[address]"],
  ["2001:db8:0:1:2:3:4:5 and ::", "[address] and [address]"],
  ["64:ff9b::192.0.2.1", "[address]"],
  ["Seen at 12:30:45.", "Seen at 12:30:45."],
  ["Serving on 2 of 2 replicas; 3 of 3 backends are up.", "Serving on 2 of 2 replicas; 3 of 3 backends are up."],
  ["Took 1.5 s on port 443 with version 1.2.3.", "Took 1.5 s on port 443 with version 1.2.3."],
])("hides the addresses in %j", (text, hidden) => {
  expect(hideAddresses(text)).toBe(hidden);
});
