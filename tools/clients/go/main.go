// Calls operations of the REST API with the generated client, as tools/clients/plan.ts lists them, and prints
// each result as a line of JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"reflect"
	"strings"

	"fairlead.dev/clients/fairlead"
)

type plan struct {
	URL   string
	Key   string
	Steps []step
}

type step struct {
	Operation  string
	Parameters map[string]json.RawMessage
	Body       json.RawMessage
	Save       string
}

type outcome struct {
	Operation string `json:"operation"`
	Status    int    `json:"status"`
	Result    any    `json:"result"`
	Error     string `json:"error,omitempty"`
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var p plan
	if err := json.Unmarshal(text, &p); err != nil {
		log.Fatal(err)
	}
	config := fairlead.NewConfiguration()
	config.Servers = fairlead.ServerConfigurations{{URL: p.URL}}
	config.AddDefaultHeader("Authorization", "Bearer "+p.Key)
	client := reflect.ValueOf(fairlead.NewAPIClient(config)).Elem()
	saved := map[string]string{}
	out := json.NewEncoder(os.Stdout)
	for _, each := range p.Steps {
		done := run(client, each, saved)
		done.Operation = each.Operation
		if err := out.Encode(done); err != nil {
			log.Fatal(err)
		}
	}
}

func run(client reflect.Value, s step, saved map[string]string) (done outcome) {
	defer func() {
		if failure := recover(); failure != nil {
			done.Error = fmt.Sprint(failure)
		}
	}()
	method := find(client, capitalized(s.Operation))
	arguments := []reflect.Value{reflect.ValueOf(context.Background())}
	// A field of the path is the second argument; everything else is a method of the request.
	for _, name := range []string{"id", "clusterId"} {
		if method.Type().NumIn() == 2 && len(arguments) == 1 && s.Parameters[name] != nil {
			arguments = append(arguments, decode(s.Parameters[name], method.Type().In(1), saved))
			delete(s.Parameters, name)
		}
	}
	request := method.Call(arguments)[0]
	for name, value := range s.Parameters {
		setter := request.MethodByName(capitalized(name))
		request = setter.Call([]reflect.Value{decode(value, setter.Type().In(0), saved)})[0]
	}
	if s.Body != nil {
		setter := bodySetter(request)
		request = setter.Call([]reflect.Value{decode(s.Body, setter.Type().In(0), saved)})[0]
	}
	return read(request.MethodByName("Execute").Call(nil), s.Save, saved)
}

// read takes apart what Execute returns: a result, unless there is none, a response and an error.
func read(returned []reflect.Value, save string, saved map[string]string) (done outcome) {
	last := len(returned) - 1
	if response, _ := returned[last-1].Interface().(*http.Response); response != nil {
		done.Status = response.StatusCode
	}
	if err, _ := returned[last].Interface().(error); err != nil {
		refusal, isRefusal := err.(*fairlead.GenericOpenAPIError)
		if !isRefusal || refusal.Model() == nil {
			done.Error = err.Error()
			return done
		}
		done.Result = refusal.Model()
		return done
	}
	if last < 2 {
		return done
	}
	done.Result = returned[0].Interface()
	if save != "" {
		saved[save] = returned[0].MethodByName("GetId").Call(nil)[0].String()
	}
	return done
}

func find(client reflect.Value, name string) reflect.Value {
	for i := range client.NumField() {
		if service := client.Field(i); service.CanInterface() {
			if method := service.MethodByName(name); method.IsValid() {
				return method
			}
		}
	}
	panic("the client has no " + name)
}

// bodySetter finds the method that takes the body: it has the name of the body's type.
func bodySetter(request reflect.Value) reflect.Value {
	for i := range request.NumMethod() {
		setter := request.Method(i).Type()
		if setter.NumIn() == 1 && setter.In(0).Kind() == reflect.Struct && setter.In(0).Name() == request.Type().Method(i).Name {
			return request.Method(i)
		}
	}
	panic("the request takes no body")
}

// decode reads a value as the client's own type, with the ids of created objects in place of their names.
func decode(text json.RawMessage, into reflect.Type, saved map[string]string) reflect.Value {
	filled := string(text)
	for name, id := range saved {
		filled = strings.ReplaceAll(filled, `"$`+name+`"`, `"`+id+`"`)
	}
	value := reflect.New(into)
	if err := json.Unmarshal([]byte(filled), value.Interface()); err != nil {
		panic(fmt.Sprintf("%s as %s: %s", filled, into, err))
	}
	return value.Elem()
}

// capitalized returns the client's name of addressPool.list: AddressPoolList.
func capitalized(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '-' })
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}
