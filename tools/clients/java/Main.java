import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.model.Problem;

/**
 * Calls operations of the REST API with the generated client, as tools/clients/plan.ts lists them, and prints each
 * result as a line of JSON. The last argument is the plan, the others are the client's classes of operations.
 */
public final class Main {
  private final ApiClient client = new ApiClient();
  private final ObjectMapper json = client.getObjectMapper();
  private final Map<String, String> saved = new HashMap<>();
  private final Map<String, Call> calls = new HashMap<>();

  private record Call(Object api, Method method) {}

  public static void main(String[] arguments) throws Exception {
    List<String> classes = List.of(arguments).subList(0, arguments.length - 1);
    JsonNode plan = new ObjectMapper().readTree(new File(arguments[classes.size()]));
    new Main(plan, classes).run(plan.get("steps"));
  }

  private Main(JsonNode plan, List<String> classes) throws Exception {
    client.updateBaseUri(plan.get("url").asText());
    String key = plan.get("key").asText();
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
    for (String name : classes) {
      Object api = Class.forName("org.openapitools.client.api." + name).getConstructor(ApiClient.class).newInstance(client);
      for (Method method : api.getClass().getMethods())
        if (method.getName().endsWith("WithHttpInfo") && !takesHeaders(method)) calls.put(method.getName(), new Call(api, method));
    }
  }

  private void run(JsonNode steps) throws Exception {
    for (JsonNode step : steps) {
      ObjectNode outcome = json.createObjectNode().put("operation", step.get("operation").asText());
      try {
        call(step, outcome);
      } catch (Exception | Error failure) {
        Throwable cause = failure instanceof InvocationTargetException ? failure.getCause() : failure;
        if (cause instanceof ApiException refusal && refusal.getCode() > 0 && refusal.getResponseBody() != null) {
          outcome.put("status", refusal.getCode());
          outcome.set("result", json.valueToTree(json.readValue(refusal.getResponseBody(), Problem.class)));
        } else outcome.put("error", String.valueOf(cause));
      }
      System.out.println(json.writeValueAsString(outcome));
    }
  }

  private void call(JsonNode step, ObjectNode outcome) throws Exception {
    Call call = calls.get(camelCase(step.get("operation").asText()) + "WithHttpInfo");
    if (call == null) throw new IllegalArgumentException("the client has no such operation");
    Map<String, JsonNode> given = new HashMap<>();
    step.get("parameters").properties().forEach(each -> given.put(camelCase(each.getKey()), each.getValue()));
    Parameter[] parameters = call.method.getParameters();
    Object[] arguments = new Object[parameters.length];
    for (int i = 0; i < parameters.length; i++) {
      JsonNode value = isBody(parameters[i]) ? step.get("body") : given.remove(parameters[i].getName());
      if (value != null) arguments[i] = decode(value, parameters[i]);
    }
    if (!given.isEmpty()) throw new IllegalArgumentException("the client has no parameters " + given.keySet());
    ApiResponse<?> response = (ApiResponse<?>) call.method.invoke(call.api, arguments);
    outcome.put("status", response.getStatusCode());
    JsonNode result = json.valueToTree(response.getData());
    outcome.set("result", result);
    if (step.has("save")) saved.put(step.get("save").asText(), result.get("id").asText());
  }

  /** Reads a value as the client's own type, with the ids of created objects in place of their names. */
  private Object decode(JsonNode value, Parameter parameter) throws Exception {
    String text = value.toString();
    for (Map.Entry<String, String> each : saved.entrySet())
      text = text.replace("\"$" + each.getKey() + "\"", "\"" + each.getValue() + "\"");
    return json.readValue(text, json.constructType(parameter.getParameterizedType()));
  }

  /** A body has the name of its type. */
  private static boolean isBody(Parameter parameter) {
    String type = parameter.getType().getSimpleName();
    boolean isModel = parameter.getType().getName().startsWith("org.openapitools.client.model.");
    return isModel && !parameter.getType().isEnum() && type.equalsIgnoreCase(parameter.getName());
  }

  private static boolean takesHeaders(Method method) {
    Class<?>[] types = method.getParameterTypes();
    return types.length > 0 && types[types.length - 1] == Map.class;
  }

  /** The client's name of addressPool.list: addressPoolList. */
  private static String camelCase(String name) {
    StringBuilder text = new StringBuilder();
    boolean isStart = false;
    for (char each : name.toCharArray()) {
      if (each == '.' || each == '-') isStart = true;
      else {
        text.append(isStart ? Character.toUpperCase(each) : each);
        isStart = false;
      }
    }
    return text.toString();
  }
}
