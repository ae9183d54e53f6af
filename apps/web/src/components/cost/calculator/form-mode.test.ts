import { expect, it } from "vitest";
import { detailsIn, modeOf } from "./form-mode.ts";
import { loadCalculatorParams } from "./search-params.ts";

const paramsIn = (query: string) => loadCalculatorParams(new URL(query, "http://localhost/calculator"));

it.each([
  ["?averageMbps=25", "quick", 0],
  ["?averageMbps=25&peakMbps=60&tls=terminate&regions=us-east-1&providers=aws", "quick", 0],
  ["?averageMbps=25&zones=2", "detailed", 1],
  ["?averageMbps=25&protocol=http&constraints=static-ip&backendMbps=60", "detailed", 3],
  ["?averageMbps=25&currency=EUR&rates=USD:0.9@2026-11-01&exposedAs=per-replica", "detailed", 3],
  ["?averageMbps=25&zones=2&mode=quick", "quick", 1],
  ["?averageMbps=25&mode=detailed", "detailed", 0],
])("%s opens the form %s with %d more settings", (query, mode, details) => {
  expect({ mode: modeOf(paramsIn(query)), details: detailsIn(paramsIn(query)) }).toEqual({ mode, details });
});
